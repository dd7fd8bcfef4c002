"""Threads, processes, and the end of a call from outside."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest
import unittest.mock

import numpy as np
from common import hydrogen, same

import kinlane
from kinlane import _library


def advanced(_number: int) -> bytes:
    gas, T, P, Y = hydrogen()
    return gas.solver(threads=2).advance(T, P, Y, 1e-5).Y.tobytes()


def with_solver(solver: kinlane.Solver) -> bytes:
    _, T, P, Y = hydrogen()
    return solver.advance(T, P, Y, 1e-5).Y.tobytes()


class OfThreads(unittest.TestCase):
    def test_threads_share_a_solver_and_a_mechanism(self):
        gas, T, P, Y = hydrogen()
        solver, wanted = gas.solver(threads=2), gas.solver(threads=1).advance(T, P, Y, 1e-5).Y
        found: list = []

        def work() -> None:
            for _ in range(5):
                found.append(solver.advance(T, P, Y, 1e-5).Y)
                found.append(gas.solver(threads=1).advance(T, P, Y, 1e-5).Y)
                gas.rates(T, P, Y)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 40)
        for y in found:
            same(self, y, wanted)

    def test_python_goes_on_while_cells_advance(self):
        gas, T, P, Y = hydrogen(4_000)
        solver = gas.solver(threads=1)
        running = threading.Thread(target=solver.advance, args=(T, P, Y, 1e-3))
        running.start()
        turns = 0
        while running.is_alive():
            turns += 1
            time.sleep(1e-4)
        self.assertGreater(turns, 5)
        self.assertEqual(solver.progress, 4_000)

    def test_a_continuation_is_saved_between_the_calls_of_another_thread(self):
        gas, T, P, Y = hydrogen(5000)
        solver = gas.solver(threads=1)
        kept = solver.continuation(T.size)
        size, mark = kept.save().size, kept.solver

        def work() -> None:
            for _ in range(20):
                solver.advance(T, P, Y, 1e-6, continuation=kept)

        running = threading.Thread(target=work)
        running.start()
        while running.is_alive():
            self.assertEqual((kept.save().size, kept.solver), (size, mark))
            self.assertEqual(solver.continuation(3).save().size, size // T.size * 3)
        running.join()

    def test_another_thread_stops_a_call(self):
        gas, T, P, Y = hydrogen(200_000)
        solver = gas.solver(threads=1)
        threading.Timer(0.2, solver.stop).start()
        after = solver.advance(np.full_like(T, 1500.0), P, Y, 1e-3)
        self.assertGreater(after.failed, 0)
        self.assertTrue((after.status[~after.done] == kinlane.Status.CANCELLED).all())
        self.assertEqual(solver.advance(T[:9], P[:9], Y[:9], 1e-5).done.sum(), 0)
        solver.resume()
        self.assertEqual(solver.advance(T[:9], P[:9], Y[:9], 1e-5).failed, 0)


@unittest.skipUnless(os.name == "posix", "signals")
class OfSignals(unittest.TestCase):
    def test_control_c_ends_a_long_call_and_the_solver_goes_on(self):
        text = textwrap.dedent("""
            import threading, time, os, signal, numpy as np, kinlane
            gas = kinlane.Mechanism("gri30")
            y = gas.mass_fractions({"CH4": 1, "O2": 2, "N2": 7.52})
            solver = gas.solver(threads=1)
            T = np.full(1_000_000, 1600.0)
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
            start = time.time()
            try:
                solver.advance(T, 101325.0, y, 1e-2)
            except KeyboardInterrupt:
                assert solver.advance(T[:10], 101325.0, y, 1e-7).failed == 0
                print("stopped", time.time() - start)
            solver.stop()
            try:
                threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
                while True:
                    assert solver.advance(T[:10], 101325.0, y, 1e-7).failed == 10
            except KeyboardInterrupt:
                pass
            assert solver.advance(T[:10], 101325.0, y, 1e-7).failed == 10, "a stop is not undone"
            solver.resume()
            assert solver.advance(T[:10], 101325.0, y, 1e-7).failed == 0
            """)
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        word, seconds = done.stdout.split()
        self.assertEqual(word, "stopped")
        self.assertLess(float(seconds), 30.0)

    def test_two_control_c_in_a_row_end_one_call(self):
        text = textwrap.dedent("""
            import os, signal, threading, time, numpy as np, kinlane
            gas = kinlane.Mechanism("h2")
            y = gas.mass_fractions({"H2": 2, "O2": 1, "N2": 3.76})
            solver = gas.solver(threads=1)
            wanted = solver.advance(np.full(8, 1200.0), 101325.0, y, 1e-6).T.tobytes()

            def strike(gap):
                for _ in range(4):
                    os.kill(os.getpid(), signal.SIGINT)
                    time.sleep(gap)

            for turn in range(30):
                struck = 0
                try:
                    striker = threading.Timer(0.01, strike, ((0.0, 2e-5, 1e-4)[turn % 3],))
                    striker.start()
                    try:
                        while True:
                            solver.advance(np.full(20_000, 1500.0), 101325.0, y, 1e-3)
                    finally:
                        striker.join()
                except KeyboardInterrupt:
                    struck += 1
                # The last one may come when nothing waits.
                for _ in range(5):
                    try:
                        time.sleep(1e-3)
                    except KeyboardInterrupt:
                        struck += 1
                assert struck, struck
                assert solver.advance(np.full(8, 1200.0), 101325.0, y, 1e-6).T.tobytes() == wanted
            print("done")
            """)
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=100)
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"), done.stderr)

    @unittest.skipUnless(hasattr(signal, "setitimer"), "needs SIGALRM")
    def test_what_a_handler_raises_while_a_call_begins_leaves_nothing_behind(self):
        gas, T, P, Y = hydrogen(2000)
        solver = gas.solver(threads=1)
        real = _library._thread.start_new_thread

        class Late(Exception):
            pass

        def before(work, arguments):
            raise Late

        def after(work, arguments):
            real(work, arguments)
            raise Late

        for start in before, after:
            where = np.full(2000, 1500.0), np.full(2000, 101325.0), np.tile(Y[0], (2000, 1))
            with unittest.mock.patch.object(_library._thread, "start_new_thread", start), self.assertRaises(Late):
                solver.advance(*where, 1e-3, inplace=True)
            kept = where[0].copy()
            self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
            # Nothing works on the arrays any more, and the next call is not stopped.
            self.assertEqual(solver.advance(T[:8], P[:8], Y[:8], 1e-6).report.failed, 0)
            self.assertTrue(np.array_equal(kept, where[0]))

    def test_without_a_thread_a_call_works_where_it_is(self):
        gas, T, P, Y = hydrogen(8)
        solver = gas.solver(threads=1)

        def none(work, arguments):
            raise RuntimeError("can't start new thread")

        wanted = solver.advance(T, P, Y, 1e-6).T
        with unittest.mock.patch.object(_library._thread, "start_new_thread", none):
            self.assertEqual(solver.advance(T, P, Y, 1e-6).T.tobytes(), wanted.tobytes())

    @unittest.skipUnless(hasattr(signal, "setitimer"), "needs SIGALRM")
    def test_a_handler_cannot_use_the_solver_in_the_middle_of_its_call(self):
        gas, T, P, Y = hydrogen(8)
        solver = gas.solver(threads=1)
        before = signal.signal(signal.SIGALRM, lambda number, frame: solver.fallback)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with self.assertRaises(kinlane.BusyError):
                while True:
                    solver.advance(np.full(20_000, 1500.0), 101325.0, Y[0], 1e-3)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)
        self.assertEqual(solver.advance(T, P, Y, 1e-6).report.failed, 0)

    def test_the_end_of_a_program_leaves_a_running_call_alone(self):
        text = textwrap.dedent("""
            import threading, time, numpy as np, kinlane
            gas = kinlane.Mechanism("h2")
            y = gas.mass_fractions({"H2": 2, "O2": 1, "N2": 3.76})
            solver = gas.solver(threads=2)
            work = lambda: solver.advance(np.full(200_000, 1500.0), 101325.0, y, 1e-3)
            threading.Thread(target=work, daemon=True).start()
            time.sleep(0.1)
            print("ends")
            """)
        for _ in range(3):
            done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=100)
            self.assertEqual((done.returncode, done.stdout), (0, "ends\n"), done.stderr)

    def test_control_c_at_any_moment_leaves_nothing_behind(self):
        text = textwrap.dedent("""
            import os, random, signal, threading, time, numpy as np, kinlane
            gas = kinlane.Mechanism("h2")
            y = gas.mass_fractions({"H2": 2, "O2": 1, "N2": 3.76})
            solver, T, seen = gas.solver(threads=1), np.full(40, 1200.0), 0
            wanted = solver.advance(T, 101325.0, y, 1e-6).T.tobytes()
            armed, ended = False, False

            def struck(*_):
                global armed
                if armed:
                    armed = False
                    raise KeyboardInterrupt

            def strike():
                while not ended:
                    time.sleep(random.uniform(0.001, 0.01))
                    os.kill(os.getpid(), signal.SIGINT)

            signal.signal(signal.SIGINT, struck)
            striker = threading.Thread(target=strike)
            striker.start()
            start = time.time()
            while seen < 100 and time.time() - start < 60:
                try:
                    armed = True
                    while True:
                        assert solver.advance(T, 101325.0, y, 1e-6).T.tobytes() == wanted
                except KeyboardInterrupt:
                    seen += 1
            ended = True
            striker.join()
            assert solver.advance(T, 101325.0, y, 1e-6).T.tobytes() == wanted
            print(seen)
            """)
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=100)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "100"), done.stderr)

    def test_a_handler_of_the_host_s_own_is_heard(self):
        gas, T, P, Y = hydrogen(4_000)
        heard = []
        old = signal.signal(signal.SIGUSR1, lambda *_: heard.append(True))
        self.addCleanup(signal.signal, signal.SIGUSR1, old)
        threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        self.assertEqual(gas.solver(threads=1).advance(T, P, Y, 1e-3).failed, 0)
        time.sleep(0.1)
        self.assertEqual(heard, [True])


class OfProcesses(unittest.TestCase):
    def test_processes_give_the_same_bits(self):
        wanted = advanced(0)
        for method in multiprocessing.get_all_start_methods():
            with self.subTest(method), multiprocessing.get_context(method).Pool(2) as pool:
                self.assertEqual(pool.map(advanced, range(2)), [wanted] * 2)
                gas, *_ = hydrogen()
                self.assertEqual(pool.map(with_solver, [gas.solver(threads=1)] * 2), [wanted] * 2)

    @unittest.skipUnless(hasattr(os, "fork"), "fork")
    def test_a_child_uses_and_ends_what_its_parent_planned(self):
        gas, T, P, Y = hydrogen()
        self.in_a_child(gas.solver(threads=2), T, P, Y)

    @unittest.skipUnless(hasattr(os, "fork"), "fork")
    def test_a_child_does_not_wait_for_its_parents_device(self):
        gas, T, P, Y = hydrogen()
        try:
            solver = gas.solver(threads=2, device="opencl", method="rodas5p")
        except kinlane.DeviceError as absent:
            self.skipTest(str(absent))
        self.in_a_child(solver, T, P, Y)
        self.in_a_child(solver, T, P, Y, anew=True)

    @unittest.skipUnless(hasattr(os, "fork"), "fork")
    def test_every_call_notes_that_the_cpu_has_taken_over(self):
        gas, T, P, Y = hydrogen()
        try:
            solver = gas.solver(threads=1, device="opencl", method="rodas5p")
        except kinlane.PlanError as absent:
            self.skipTest(str(absent))
        self.assertIsNone(solver.fallback)

        def prepare() -> bool:
            solver.prepare(10)
            return "fork" in (solver.fallback or "")

        def rates() -> bool:
            solver.rates(T, P, Y)
            return "fork" in (solver.fallback or "")

        def refused() -> bool:
            with self.assertRaises(kinlane.ArgumentError):
                solver.advance(T, P, Y, 1e-5, continuation=gas.solver(threads=1, rtol=1e-3).continuation(T.size))
            return "fork" in (solver.fallback or "")

        def driven() -> bool:
            return "histories" in (gas.follower(threads=1, history=True, device="opencl").fallback or "")

        for call in (prepare, rates, refused, driven):
            with self.subTest(call.__name__):
                self.forked(call)

    def in_a_child(self, solver, T, P, Y, anew=False):
        wanted = solver.advance(T, P, Y, 1e-5).Y

        def same_bits() -> bool:
            nonlocal solver
            if anew:
                solver = pickle.loads(pickle.dumps(solver))
            is_same = solver.advance(T, P, Y, 1e-5).Y.tobytes() == wanted.tobytes()
            del solver
            return is_same

        self.forked(same_bits)

    def forked(self, call):
        """In a child, which ends at once, the call returns True."""
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = int(not call())
            finally:
                os._exit(code)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
