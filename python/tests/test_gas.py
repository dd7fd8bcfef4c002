"""Mechanisms and solvers of gas cells."""

from __future__ import annotations

import copy
import doctest
import gc
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
import weakref
from pathlib import Path

import numpy as np
from common import hydrogen, program, same

import kinlane
from kinlane import mechanism as mechanism_module
from kinlane import solver as solver_module

ARGON = """
phases: [{name: gas, thermo: ideal-gas, elements: [Ar], species: [AR]}]
species:
- name: AR
  composition: {Ar: 1}
  thermo: {model: constant-cp, s0: 154.85 J/mol/K, cp0: 20.786 J/mol/K}
"""


class Examples(unittest.TestCase):
    def test_examples_in_the_documentation(self):
        for module in (kinlane, mechanism_module, solver_module):
            self.assertEqual(doctest.testmod(module).failed, 0)


class OfMechanisms(unittest.TestCase):
    def test_what_a_mechanism_has(self):
        gas = kinlane.Mechanism("gri30")
        self.assertEqual((len(gas.species), len(gas.reactions)), (53, 325))
        self.assertEqual(gas.species[gas.index("CH4")], "CH4")
        methane = dict(zip(gas.elements, gas.atoms[gas.index("CH4")]))
        self.assertEqual((methane["C"], methane["H"], methane["O"]), (1, 4, 0))
        self.assertAlmostEqual(gas.molar_masses[gas.index("CH4")], 16.043e-3, delta=1e-5)
        with self.assertRaises(ValueError):
            gas.atoms[0, 0] = 1.0

    def test_mixtures(self):
        gas = kinlane.Mechanism("gri30")
        by_name = gas.mass_fractions({"CH4": 1, "O2": 2, "N2": 7.52})
        moles = np.zeros(53)
        moles[[gas.index("CH4"), gas.index("O2"), gas.index("N2")]] = 1, 2, 7.52
        same(self, gas.mass_fractions(moles), by_name)
        mixed = gas.mixture({"CH4": 1}, {"O2": 1, "N2": 3.76}, 1.0)
        np.testing.assert_allclose(mixed, by_name, rtol=1e-14)
        for bad in ({"CH5": 1}, {"CH4": -1}, {"CH4": np.nan}, {}, np.ones(52), "air"):
            with self.assertRaises(kinlane.ArgumentError):
                gas.mass_fractions(bad)
        with self.assertRaisesRegex(kinlane.ArgumentError, "did you mean `CH4`"):
            gas.index("ch4")

    def test_what_cannot_be_read_is_refused_in_words(self):
        with self.assertRaisesRegex(kinlane.MechanismError, "did you mean `gri30`"):
            kinlane.Mechanism("gri3")
        with self.assertRaisesRegex(kinlane.MechanismError, "a.yaml"):
            kinlane.Mechanism.from_text("phases: [{}]", name="a.yaml")
        with self.assertRaisesRegex(kinlane.ArgumentError, "chemkin"):
            kinlane.Mechanism("h2", format="word")
        with self.assertRaisesRegex(kinlane.ArgumentError, "zero byte"):
            kinlane.Mechanism("h\0")
        self.assertEqual(kinlane.Mechanism.from_text(ARGON).species, ("AR",))

    def test_files_with_any_name(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "árgon gás.yaml"
            path.write_text(ARGON)
            self.assertEqual(kinlane.Mechanism(path, phase="gas").species, ("AR",))

    def test_text_is_unicode_in_every_locale(self):
        code = f"import kinlane; kinlane.Mechanism.from_text({'# ü' + chr(10) + ARGON!a}, phase='gas')"
        plain = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
        done = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class OfSolvers(unittest.TestCase):
    def test_answers_are_the_program_s_to_the_last_bit(self):
        gas, T, P, Y = hydrogen()
        for reactor in ("const-p", "const-v"):
            with tempfile.TemporaryDirectory() as folder, self.subTest(reactor):
                np.savez(Path(folder) / "cells.npz", T=T, P=P, Y=Y, species=gas.species)
                options = ["--states", "cells.npz", "--reactor", reactor]
                program(Path(folder), "advance", "h2", *options, "--dt", "3e-5", "--rtol", "1e-5", "--out", "o.npz")
                program(Path(folder), "rates", "h2", *options, "--jacobian", "--out", "r.npz")
                after = gas.solver(reactor=reactor, rtol=1e-5).advance(T, P, Y, 3e-5)
                wdot, jac = gas.solver(reactor=reactor).rates(T, P, Y, jacobian=True)
                with np.load(Path(folder) / "o.npz") as wanted:
                    for name in ("T", "P", "Y"):
                        same(self, getattr(after, name), wanted[name])
                    for name in ("status", "steps", "rejected"):
                        np.testing.assert_array_equal(getattr(after, name), wanted[name])
                with np.load(Path(folder) / "r.npz") as wanted:
                    same(self, wdot, wanted["wdot"])
                    same(self, jac, wanted["jac"])

    def test_layouts_and_shapes_do_not_matter(self):
        gas, T, P, Y = hydrogen()
        solver = gas.solver(threads=2)
        after = solver.advance(T, P, Y, 1e-5)
        turned = solver.advance(T, P, np.asfortranarray(Y), 1e-5)
        self.assertTrue(turned.Y.flags.f_contiguous)
        wide = np.zeros((74, 26))
        wide[::2, ::2] = Y
        others = [turned, solver.advance(T, 101325, Y[0], 1e-5), solver.advance(list(T), P, wide[::2, ::2], 1e-5)]
        for other in others:
            for name in ("T", "P", "Y", "status", "steps"):
                same(self, getattr(other, name), getattr(after, name))
        same(self, solver.rates(T, P, np.asfortranarray(Y)), solver.rates(T, P, Y))

        def packed(array):
            """Where no number may begin: as in records without gaps."""
            bytes_ = np.zeros(array.nbytes + 8, np.uint8)[1 : 1 + array.nbytes]
            other = bytes_.view(np.float64).reshape(array.shape)
            other[...] = array
            return other

        same(self, solver.rates(packed(T), packed(P), packed(Y)), solver.rates(T, P, Y))
        heating = np.linspace(-1e6, 1e6, len(T))
        same(self, solver.advance(T, P, Y, packed(np.full(len(T), 1e-5)), heating=packed(heating)).Y,
             solver.advance(T, P, Y, 1e-5, heating=heating).Y)
        alone = solver.advance(T[30], P[30], Y[30], 1e-5)
        same(self, alone.Y[0], after.Y[30])

    def test_in_place_or_not(self):
        gas, T, P, Y = hydrogen()
        solver = gas.solver(threads=1)
        kept = [a.copy() for a in (T, P, Y)]
        after = solver.advance(T, P, Y, 1e-5)
        for array, old in zip((T, P, Y), kept):
            same(self, array, old)
        self.assertFalse(any(np.shares_memory(a, b) for a, b in ((after.T, T), (after.P, P), (after.Y, Y))))
        for y in (Y.copy(), np.asfortranarray(Y)):
            t, p = T.copy(), P.copy()
            within = solver.advance(t, p, y, 1e-5, inplace=True)
            self.assertIs(within.T, t)
            self.assertIs(within.Y, y)
            same(self, t, after.T)
            same(self, y, after.Y)
        frozen = T.copy()
        frozen.setflags(write=False)
        for t, p, y in (
            (list(T), P, Y),
            (T.astype(np.float32), P, Y),
            (frozen, P, Y),
            (T, P[0], Y),
            (T, P, Y[0]),
            (np.repeat(T, 2)[::2], P, Y),
            (T, T, Y),
        ):
            with self.assertRaises(kinlane.ArgumentError):
                solver.advance(t, p, y, 1e-5, inplace=True)
        with self.assertRaisesRegex(kinlane.ArgumentError, "T is read-only"):
            solver.advance(frozen, P.copy(), Y.copy(), 1e-5, inplace=True)
        self.assertNotEqual(after, within)

    def test_wrong_calls_name_the_cell_and_touch_nothing(self):
        gas, T, P, Y = hydrogen()
        solver = gas.solver(threads=1)
        T[7] = np.nan
        with self.assertRaisesRegex(kinlane.BatchError, "cell 7, T") as caught:
            solver.advance(T, P, Y, 1e-5)
        self.assertEqual(caught.exception.cell, 7)
        T[7] = 300.0
        for arguments in (
            (T[:-1], P, Y, 1e-5),
            (T, P, Y[:, 1:], 1e-5),
            (T, P, Y, -1.0),
            (T, P, Y, np.nan),
            (T.reshape(1, -1), P, Y, 1e-5),
            (T, P, "air", 1e-5),
            (T, P, Y * 1j, 1e-5),
        ):
            with self.assertRaises(kinlane.ArgumentError):
                solver.advance(*arguments)
        source = np.zeros_like(Y)
        source[3, 0] = 1e9
        with self.assertRaisesRegex(kinlane.BatchError, "sum to zero") as caught:
            solver.advance(T, P, Y, 1e-5, dYdt=source)
        self.assertEqual(caught.exception.cell, 3)
        self.assertEqual(solver.advance(T[:0], P[:0], Y[:0], 1e-5).report.cells, 0)

    def test_options(self):
        gas, *_ = hydrogen(1)
        self.assertEqual(gas.solver(method="rodas4").method, "rodas4")
        self.assertIsNone(gas.solver(threads=1).fallback)
        for wrong, kind in (
            ({"rtoll": 1}, kinlane.ArgumentError),
            ({"phase": "gas"}, kinlane.ArgumentError),
            ({"reactor": "bath"}, kinlane.ArgumentError),
            ({"threads": True}, kinlane.ArgumentError),
            ({"atol_of": "OH"}, kinlane.ArgumentError),
            ({"atol_of": {"oh": 1e-16}}, kinlane.PlanError),
            ({"method": "magic"}, kinlane.PlanError),
            ({"rtol": 1.0}, kinlane.PlanError),
            ({"device": "abacus"}, kinlane.PlanError),
        ):
            with self.subTest(wrong), self.assertRaises(kind):
                gas.solver(**wrong)

    def test_species_have_tolerances_of_their_own(self):
        gas, T, P, Y = hydrogen()
        k = gas.species.index("HO2")
        want, loose, own = (
            gas.solver(threads=1, method="rodas5p", **more).advance(T, P, Y, 1e-6).Y[:, k]
            for more in ({"atol": 1e-20}, {"atol": 1e-3}, {"atol": 1e-3, "atol_of": {"HO2": 1e-20, "H": 1e-20}})
        )
        self.assertLess(np.abs(own / want - 1).max(), 0.1 * np.abs(loose / want - 1).max())

    def test_cells_that_fail_keep_their_state(self):
        gas, T, P, Y = hydrogen()
        after = gas.solver(max_steps=4, threads=1).advance(T, P, Y, 1e-3)
        self.assertEqual(after.failed, np.count_nonzero(~after.done))
        self.assertGreater(after.failed, 0)
        self.assertEqual(kinlane.Status(after.status[-1]), kinlane.Status.TOO_MANY_STEPS)
        self.assertEqual(kinlane.Status.TOO_MANY_STEPS.text, "the budget of steps is spent")
        same(self, after.T[~after.done], T[~after.done])
        self.assertTrue((after.reached[after.done] == 1e-3).all() and (after.reached[~after.done] < 1e-3).all())

    def test_reports(self):
        gas, T, P, Y = hydrogen()
        after = gas.solver(threads=1).advance(T, P, Y, 1e-5)
        self.assertEqual((after.report.cells, after.report.steps), (T.size, after.steps.sum()))
        self.assertEqual(after.report.details["device"], "cpu")
        self.assertGreater(after.report.seconds, 0)

    def test_sources(self):
        gas, T, P, Y = hydrogen()
        solver = gas.solver(threads=1, reactor="const-p")
        heated = solver.advance(T[0], P[0], Y[0], 1e-6, heating=1e9)
        cp = gas.properties(T[0], P[0], Y[0]).cp[0]
        self.assertAlmostEqual(heated.T[0] - T[0], 1e3 / cp, delta=1e-3)
        source = np.zeros_like(Y)
        source[:, gas.index("AR")], source[:, gas.index("N2")] = 10.0, -10.0
        mixed = solver.advance(T, P, Y, 1e-6, dYdt=np.asfortranarray(source))
        np.testing.assert_allclose(mixed.Y[:, gas.index("AR")], 1e-5, rtol=1e-9)

    def test_intervals_of_the_cells_own(self):
        gas, T, P, Y = hydrogen()
        solver = gas.solver(threads=1)
        dt = np.geomspace(1e-9, 1e-4, T.size)
        own = solver.advance(T, P, Y, dt)
        self.assertTrue((own.reached[own.done] == dt[own.done]).all())
        for cell in (0, T.size // 2, T.size - 1):
            alone = solver.advance(T, P, Y, dt[cell])
            self.assertEqual(own.T[cell], alone.T[cell])
            same(self, own.Y[cell], alone.Y[cell])
        noted = gas.follower(threads=1).advance(T, P, Y, dt, times=[1e-9, 1e-4])
        self.assertTrue(np.isnan(noted.T_series[0, 1]) and np.isfinite(noted.T_series[-1, 1]))
        with self.assertRaisesRegex(kinlane.BatchError, "cell 1, dt"):
            solver.advance(T, P, Y, np.where(np.arange(T.size) == 1, 0.0, dt))
        with self.assertRaises(kinlane.ArgumentError):
            solver.advance(T, P, Y, dt[:-1])

    def test_factors_on_reactions(self):
        gas, T, P, Y = hydrogen()
        solver, r = gas.solver(threads=1, factors=True, rtol=1e-9), len(gas.reactions)
        doubled = solver.advance(T, P, Y, 1e-5, factors=np.full(r, 2.0))
        longer = solver.advance(T, P, Y, 2e-5)
        np.testing.assert_allclose(doubled.T, longer.T, rtol=1e-6)
        # A batch of one state: rates of a cell of their own, in one call.
        factors = 1.0 + np.eye(r + 1, r, -1)
        each = solver.advance(T[-1], P[-1], Y[-1], 1e-6, factors=factors)
        same(self, each.T[0], solver.advance(T[-1], P[-1], Y[-1], 1e-6).T[0])
        self.assertGreater(np.unique(each.T).size, r // 2)
        found = gas.follower(threads=1, factors=True).advance(T[-1], P[-1], Y[-1], 1e-2, events=["T+400"], factors=factors[:3]).found
        self.assertEqual((found.shape, np.isfinite(found).all()), ((3, 1), True))
        for wrong in (np.full(r - 1, 1.0), np.full((T.size + 1, r), 1.0)):
            with self.assertRaises(kinlane.ArgumentError):
                solver.advance(T, P, Y, 1e-6, factors=wrong)
        with self.assertRaisesRegex(kinlane.PlanError, "the option device"):
            gas.solver(factors=np.True_, device="opencl")
        with self.assertRaisesRegex(kinlane.BatchError, "factor of reaction 0.* not below zero"):
            solver.advance(T, P, Y, 1e-6, factors=np.full(r, -1.0))
        with self.assertRaisesRegex(kinlane.ArgumentError, "the option factors"):
            gas.solver(threads=1).advance(T, P, Y, 1e-6, factors=np.full(r, 2.0))

    def test_continuations(self):
        gas, T, P, Y = hydrogen()
        solver = gas.solver(method="bdf", threads=1)
        whole = solver.advance(T, P, Y, 2e-5, continuation=solver.continuation(T.size))
        kept = solver.continuation(T.size)
        half = solver.advance(T, P, Y, 1e-5, continuation=kept)
        again = solver.continuation(T.size)
        again.load(kept.save(), kept.solver)
        copies = [copy.deepcopy(kept), pickle.loads(pickle.dumps(kept))]
        second = solver.advance(half.T, half.P, half.Y, 1e-5, continuation=again)
        same(self, second.T, whole.T)
        for other in copies:
            same(self, solver.advance(half.T, half.P, half.Y, 1e-5, continuation=other).T, whole.T)
        with self.assertRaisesRegex(TypeError, "belongs to its process"):
            pickle.dumps(kept._handle)
        same(self, second.Y, whole.Y)
        for cells in (-1, 2**60, 2**70):
            with self.assertRaises(kinlane.ArgumentError):
                solver.continuation(cells)
        other = gas.solver(rtol=1e-3)
        with self.assertRaises(kinlane.ArgumentError):
            other.advance(T, P, Y, 1e-5, continuation=kept)
        with self.assertRaises(kinlane.ArgumentError):
            other.continuation(T.size).load(kept.save(), kept.solver)
        with self.assertRaisesRegex(kinlane.ArgumentError, "shape"):
            again.load(0.0, kept.solver)
        for none in (1.0, -1, 1 << 64):
            with self.assertRaisesRegex(kinlane.ArgumentError, "solver is .*, it must be the whole number"):
                again.load(kept.save(), none)
        damaged = kept.save()
        damaged[-1] *= 1.5
        with self.assertRaisesRegex(kinlane.ArgumentError, f"cell {T.size - 1} is not what was saved"):
            again.load(damaged, kept.solver)

    def test_what_is_no_continuation_or_interval_is_named(self):
        gas, T, P, Y = hydrogen(2)
        solver = gas.solver(threads=1)
        with self.assertRaisesRegex(kinlane.ArgumentError, "continuation is 5"):
            solver.advance(T, P, Y, 1e-6, continuation=5)
        with self.assertRaisesRegex(kinlane.ArgumentError, "dt is not an array of numbers"):
            solver.advance(T, P, Y, "1us")

    def test_following(self):
        gas, _, P, Y = hydrogen(5)
        T = np.linspace(1200.0, 1450.0, 5)
        follower = gas.follower(method="rodas5p", threads=1, rtol=1e-8)
        noted = follower.advance(T, P, Y, 1e-4, times=[0.0, 5e-5, 1e-4], events=["dT/dt", "T = 1500 K", "max OH"])
        self.assertEqual((noted.failed, noted.T_series.shape, noted.Y_series.shape), (0, (5, 3), (5, 3, len(gas.species))))
        np.testing.assert_array_equal(noted.T_series[:, 0], T)
        np.testing.assert_allclose(noted.T_series[:, 2], noted.T, rtol=1e-8)
        np.testing.assert_allclose(noted.Y_series[:, 2], noted.Y, rtol=1e-7, atol=1e-12)
        np.testing.assert_array_equal(noted.P_series, np.full((5, 3), 101325.0))
        self.assertEqual(int(noted.steps.sum()), noted.report.steps)
        self.assertTrue((noted.found[:, :2] > 0).all())
        # The crossing is where a solver finds it.
        solver = gas.solver(method="rodas5p", threads=1, rtol=1e-8)
        for cell, when in enumerate(noted.found[:, 1]):
            there = solver.advance(T[cell], P[cell], Y[cell], when).T[0]
            self.assertLess(abs(there - 1500.0), 0.05)
        self.assertEqual(follower.advance(T, P, Y, 1e-6).found.shape, (5, 0))
        self.assertTrue(np.isnan(follower.advance(T, P, Y, 1e-9, events="T=2900").found).all())
        self.assertEqual(pickle.loads(pickle.dumps(follower)).method, "rodas5p")
        for wrong in (
            {"times": [2e-4]},
            {"times": [5e-5, 1e-5]},
            {"events": ["dT"]},
            {"events": [""]},
            {"events": ["dT/dt\nmax OH"]},
            {"events": ["max XYZ"]},
            {"events": [3]},
        ):
            with self.subTest(wrong), self.assertRaises(kinlane.ArgumentError):
                follower.advance(T, P, Y, 1e-4, **wrong)

    def test_following_along_a_history(self):
        gas = kinlane.Mechanism("h2")
        follower = gas.follower(reactor="const-v", history=True, threads=1, method="radau5", rtol=1e-8)
        argon, times = gas.mass_fractions({"AR": 1}), [0.0, 1e-3, 2e-3]
        ratios = np.array([2.0, 8.0])
        volumes = np.stack([np.ones(2), 0.9 * np.ones(2), 1 / ratios], axis=1)
        # Argon is compressed as T v^(2/3) = const.
        noted = follower.advance([300.0, 400.0], 1e5, argon, 2e-3, times=times, history=(times, volumes))
        np.testing.assert_allclose(noted.T, [300.0, 400.0] * ratios ** (2 / 3), rtol=1e-7)
        np.testing.assert_allclose(noted.P, 1e5 * ratios ** (5 / 3), rtol=1e-7)
        np.testing.assert_allclose(noted.T_series[:, 1], np.array([300.0, 400.0]) * 0.9 ** (-2 / 3), rtol=1e-7)
        # A mixture that is compressed ignites, one that is not does not; the pressure is imposed.
        driven = gas.follower(history=True, threads=1)
        y = gas.mass_fractions({"H2": 2, "O2": 1, "AR": 7})
        ignition = {"events": ["OH=1e-3"], "times": [1e-2]}
        found = driven.advance(600.0, 1e5, y, 1e-2, history=([0, 1e-3], [1.0, 20.0]), **ignition)
        self.assertTrue(1e-4 < found.found[0, 0] < 1e-3)
        np.testing.assert_allclose(found.P_series, 2e6, rtol=1e-12)
        self.assertTrue(np.isnan(driven.advance(600.0, 1e5, y, 1e-2, **ignition).found[0, 0]))
        for wrong in ([0, 1], ([0, 1], [1, 2, 3]), ([0, 1], np.ones((3, 2))), ([1, 2], [1, 2]), ([0, 1], [1, -2])):
            with self.subTest(wrong), self.assertRaises(kinlane.ArgumentError):
                driven.advance(600.0, 1e5, y, 1e-2, history=wrong)
        with self.assertRaisesRegex(kinlane.ArgumentError, "history"):
            gas.follower().advance(600.0, 1e5, y, 1e-2, history=([0, 1], [1, 2]))
        with self.assertRaisesRegex(kinlane.PlanError, "history"):
            gas.solver(history=True)

    def test_a_mechanism_that_gave_rates_goes_when_it_is_dropped(self):
        gas, T, P, Y = hydrogen()
        own = kinlane.Mechanism("h2")
        same(self, own.rates(T, P, Y), gas.rates(T, P, Y))
        alive = weakref.ref(own)
        gc.disable()
        try:
            del own
            self.assertIsNone(alive())
        finally:
            gc.enable()

    def test_masked_numbers_are_refused(self):
        gas, T, P, Y = hydrogen()
        hidden = np.ma.masked_array(np.full(T.shape, 1500.0), mask=False)
        gas.rates(hidden, P, Y)
        hidden.mask[0] = True
        with self.assertRaisesRegex(kinlane.ArgumentError, "T.*masked"):
            gas.rates(hidden, P, Y)

    def test_lists_of_names(self):
        self.assertIn("rodas5p", kinlane.methods())
        for name in kinlane.bundled():
            self.assertEqual(kinlane.Mechanism(name).name, name)

    def test_properties_and_temperatures(self):
        gas, T, P, Y = hydrogen()
        found = gas.properties(T, P, Y)
        np.testing.assert_allclose(found.density * 8.31446261815324 * T / found.molar_mass, P, rtol=1e-12)
        np.testing.assert_allclose(gas.temperatures(found.enthalpy, P, Y, guess=500.0), T, rtol=1e-10)
        alone = gas.temperatures(found.enthalpy[5], P, Y[5])
        np.testing.assert_allclose(alone, T[5], rtol=1e-10)
        self.assertEqual(alone.shape, T.shape)
        energy = found.enthalpy - P / found.density
        np.testing.assert_allclose(gas.solver(reactor="const-v").temperatures(energy, P, Y), T, rtol=1e-10)
        self.assertTrue(np.isnan(gas.temperatures(-1e12, P[0], Y[0])).all())
        np.testing.assert_array_equal(gas.temperatures(found.enthalpy, None, Y, guess=500.0), gas.temperatures(found.enthalpy, P, Y, guess=500.0))
        of_species = gas.species_properties(T)
        self.assertEqual(of_species.cp.shape, Y.shape)
        np.testing.assert_allclose((Y * of_species.cp).sum(axis=1), found.cp, rtol=1e-12)
        np.testing.assert_allclose((Y * of_species.enthalpy).sum(axis=1), found.enthalpy, rtol=1e-12, atol=1e-9 * 1e6)
        alone = gas.properties(T, P, Y, heat_release=False)
        self.assertTrue(np.isnan(alone.heat_release).all())
        for name in ("density", "molar_mass", "cp", "enthalpy"):
            np.testing.assert_array_equal(getattr(alone, name), getattr(found, name))
        progress = gas.rates_of_progress(T, P, Y)
        self.assertEqual(progress.shape, (T.size, len(gas.reactions), 2))
        self.assertTrue((progress >= 0).all())
        left, right = gas.stoichiometry()
        wdot = (progress[:, :, 0] - progress[:, :, 1]) @ (right - left)
        np.testing.assert_allclose(wdot, gas.rates(T, P, Y), rtol=1e-9, atol=1e-12 * progress.max())

    def test_equilibria(self):
        gas = kinlane.Mechanism("h2")
        y = gas.mixture({"H2": 1}, {"O2": 1, "N2": 3.76}, 1.0)
        T = np.array([300.0, 1e6, 600.0])
        flame = gas.equilibrate(T, 101325.0, y, threads=1)
        self.assertEqual(flame.found.tolist(), [True, False, True])
        self.assertEqual((flame.T[1], flame.Y[1].tolist()), (1e6, y.tolist()))
        self.assertTrue(2300 < flame.T[0] < flame.T[2] - 100)
        # What is held stays.
        before, after = gas.properties(T, 101325.0, y), gas.properties(flame.T, flame.P, flame.Y)
        np.testing.assert_allclose(after.enthalpy[[0, 2]], before.enthalpy[[0, 2]], rtol=0, atol=1e-3)
        wdot = gas.rates(flame.T, flame.P, flame.Y)[[0, 2]]
        self.assertLess(np.abs(wdot).max(), 1e-6 * np.abs(gas.rates_of_progress(flame.T, flame.P, flame.Y)).max())
        bomb = gas.equilibrate(T[:1], 101325.0, y, held="UV")
        self.assertGreater(bomb.T[0], flame.T[0] + 300)
        density = gas.properties(bomb.T, bomb.P, bomb.Y).density
        np.testing.assert_allclose(density, before.density[:1], rtol=1e-12)
        with self.assertRaisesRegex(kinlane.ArgumentError, "one of TP"):
            gas.equilibrate(300.0, 1e5, y, held="HU")
        with self.assertRaises(kinlane.BatchError):
            gas.equilibrate(-300.0, 1e5, y)
        # Many are done some at a time; the cell that is to blame has its own number.
        many = np.linspace(300.0, 900.0, 1300)
        found = gas.equilibrate(many, 1e5, y, threads=2)
        self.assertTrue(found.found.all() and (found.T[1250:] == gas.equilibrate(many[1250:], 1e5, y).T).all())
        many[1200] = np.nan
        with self.assertRaisesRegex(kinlane.BatchError, "cell 1200") as caught:
            gas.equilibrate(many, 1e5, y)
        self.assertEqual(caught.exception.cell, 1200)
        self.assertEqual(gas.equilibrate([], 1e5, y).Y.shape, (0, len(gas.species)))
        for wrong in ({"held": None}, {"threads": None}, {"threads": "two"}, {"threads": 0.5}):
            with self.assertRaisesRegex(kinlane.ArgumentError, next(iter(wrong))):
                gas.equilibrate(300.0, 1e5, y, **wrong)
        with self.assertRaisesRegex(kinlane.PlanError, "threads is 100000"):
            gas.equilibrate(300.0, 1e5, y, threads=100_000)

    def test_everything_can_be_pickled(self):
        gas, T, P, Y = hydrogen()
        solver = pickle.loads(pickle.dumps(gas.solver(rtol=1e-4, threads=1)))
        same(self, solver.advance(T, P, Y, 1e-5).Y, gas.solver(rtol=1e-4).advance(T, P, Y, 1e-5).Y)
        argon = pickle.loads(pickle.dumps(kinlane.Mechanism.from_text(ARGON, name="argon.yaml")))
        self.assertEqual(argon.species, ("AR",))

    def test_a_pickled_mechanism_is_found_from_another_folder(self):
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            Path("argon.yaml").write_text(ARGON)
            kept = pickle.dumps(kinlane.Mechanism("argon.yaml"))
            os.chdir(here)
            self.assertEqual(pickle.loads(kept).species, ("AR",))
            # A bundled mechanism is not in the folder of its name.
            os.chdir(folder)
            os.mkdir("h2")
            self.assertEqual(len(pickle.loads(pickle.dumps(kinlane.Mechanism("h2"))).species), 13)
            os.chdir(here)

    def test_warnings_of_the_reader(self):
        self.assertEqual(kinlane.Mechanism("h2").warnings, ())
        # Heat capacities that jump in the middle.
        ranges = "{model: NASA7, temperature-ranges: [200, 1000, 6000], data: [[2.5,0,0,0,0,-745,4], [3.6,0,0,0,0,-745,4]]}"
        jumps = ARGON.split("thermo: {model")[0] + "thermo: " + ranges
        told = kinlane.Mechanism.from_text(jumps, name="argon.yaml").warnings
        self.assertEqual(len(told), 1)
        self.assertIn("argon.yaml", told[0])


if __name__ == "__main__":
    unittest.main()
