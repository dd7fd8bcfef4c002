"""Reaction schemes."""

from __future__ import annotations

import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np
from common import CHAPMAN, program, same

import kinlane

N = 24
SUN = np.clip(np.sin((np.arange(N) - 6) / 12 * np.pi), 0, 1)
AMOUNTS = np.array([1e7, 2e12])
FIXED = {"O2": 4e16, "M": 1.9e17}


class OfSchemes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "chapman.def").write_text(CHAPMAN)
        self.scheme = kinlane.Scheme(self.folder / "chapman.def")

    def test_what_a_scheme_has(self):
        s = self.scheme
        self.assertEqual((s.species, s.fixed, s.inputs, s.photolysis), (("O", "O3"), ("O2", "M"), ("SUN",), ()))
        self.assertEqual((s.reactions, s.is_star, s.usual_inputs), (("light", "ozone", "photo", "loss"), False, {}))
        self.assertEqual(s.index("O3"), 1)
        with self.assertRaises(kinlane.MechanismError):
            kinlane.Scheme(self.folder / "nowhere.def")

    def test_answers_are_the_program_s_to_the_last_bit(self):
        C = np.tile([*AMOUNTS, *FIXED.values()], (N, 1))
        np.savez(self.folder / "day.npz", T=np.full(N, 240.0), SUN=SUN, C=C, species=["O", "O3", "O2", "M"])
        program(self.folder, "advance", "chapman.def", "--states", "day.npz", "--dt", "3600", "--out", "o.npz")
        program(self.folder, "rates", "chapman.def", "--states", "day.npz", "--out", "r.npz")
        solver = self.scheme.solver(threads=2)
        after = solver.advance(240.0, AMOUNTS, 3600.0, fixed=FIXED, inputs={"SUN": SUN})
        rates = solver.rates(240.0, AMOUNTS, fixed=FIXED, inputs={"SUN": SUN})
        self.assertEqual(after.failed, 0)
        with np.load(self.folder / "o.npz") as wanted:
            same(self, after.amounts, wanted["C"][:, :2])
            np.testing.assert_array_equal(after.steps, wanted["steps"])
        with np.load(self.folder / "r.npz") as wanted:
            same(self, rates.constants, wanted["k"])
            same(self, rates.tendencies, wanted["dCdt"][:, :2])

    def test_surroundings_by_name_or_as_arrays(self):
        solver = self.scheme.solver(threads=1)
        T, C = np.full(N, 240.0), np.tile(AMOUNTS, (N, 1))
        first = solver.advance(T, C, 60.0, fixed=FIXED, inputs={"SUN": SUN})
        again = solver.advance(T, np.asfortranarray(C), 60.0, fixed=[4e16, 1.9e17], inputs=SUN[:, None])
        same(self, again.amounts, first.amounts)
        same(self, C, np.tile(AMOUNTS, (N, 1)))
        emitted = solver.advance(T, C, 60.0, fixed=FIXED, inputs={"SUN": SUN}, source=[0.0, 1e9])
        self.assertTrue((emitted.amounts[:, 1] > first.amounts[:, 1]).all())
        n = len(first.amounts)
        own = solver.advance(T, C, np.full(n, 60.0), fixed=FIXED, inputs={"SUN": SUN})
        same(self, own.amounts, first.amounts)
        # Intervals and sources say how many cells there are, too.
        two = solver.advance(240.0, AMOUNTS, [60.0, 120.0], fixed=FIXED, inputs={"SUN": 1.0}, source=np.zeros((2, 2)))
        alone = [solver.advance(240.0, AMOUNTS, dt, fixed=FIXED, inputs={"SUN": 1.0}).amounts[0] for dt in (60.0, 120.0)]
        same(self, two.amounts, np.array(alone))
        detail = solver.detail(T, C, fixed=FIXED, inputs={"SUN": SUN})
        self.assertEqual(detail.progress.shape, (n, len(self.scheme.reactions)))
        more = np.array(C) * [1.0, 1.0 + 1e-6]
        rates = [solver.rates(T, c, fixed=FIXED, inputs={"SUN": SUN}).tendencies for c in (C, more)]
        slope = (rates[1] - rates[0]) / (more - np.array(C))[..., 1:]
        np.testing.assert_allclose(detail.jacobian[:, :, 1], slope, rtol=1e-3, atol=1e-9)
        for wrong in (
            {"fixed": FIXED},
            {"fixed": {"O2": 1.0}, "inputs": {"SUN": SUN}},
            {"fixed": {**FIXED, "N2": 1.0}, "inputs": {"SUN": SUN}},
            {"fixed": FIXED, "inputs": {"SUN": SUN[1:]}},
            {"fixed": FIXED, "inputs": {"SUN": SUN}, "density": 1.0},
        ):
            with self.subTest(wrong), self.assertRaises(kinlane.ArgumentError):
                solver.advance(T, C, 60.0, **wrong)
        with self.assertRaisesRegex(kinlane.BatchError, "O2"):
            solver.advance(T, C, 60.0, fixed={**FIXED, "O2": -1.0}, inputs={"SUN": SUN})
        with self.assertRaises(kinlane.PlanError):
            self.scheme.solver(reactor="const-v")

    def test_names_may_be_in_any_case_where_one_is_meant(self):
        solver = self.scheme.solver(threads=1)
        first = solver.advance(240.0, AMOUNTS, 60.0, fixed=FIXED, inputs={"SUN": 1.0})
        again = solver.advance(240.0, AMOUNTS, 60.0, fixed={"o2": 4e16, "m": 1.9e17}, inputs={"Sun": 1.0})
        same(self, again.amounts, first.amounts)
        for fixed, said in (({"o2": 1.0, "O2": 1.0, "M": 1.0}, "O2 is given twice"), ({"O4": 1.0, **FIXED}, "no O4")):
            with self.assertRaisesRegex(kinlane.ArgumentError, said):
                solver.advance(240.0, AMOUNTS, 60.0, fixed=fixed, inputs={"SUN": 1.0})

    def test_intervals_of_another_number_of_cells_are_refused(self):
        solver = self.scheme.solver(threads=1)
        with self.assertRaisesRegex(kinlane.ArgumentError, "T has 3, dt has 1000"):
            solver.advance(np.full(3, 240.0), AMOUNTS, np.full(1000, 60.0), fixed=FIXED, inputs={"SUN": 1.0})

    def test_rate_constants_that_are_not_finite(self):
        (self.folder / "cold.def").write_text("#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\n<r> A = B : 1/(SUN-1);\n")
        solver = kinlane.Scheme(self.folder / "cold.def").solver(threads=1)
        after = solver.advance(300.0, [1.0, 0.0], 1.0, inputs={"SUN": [3.0, 1.0]})
        self.assertEqual((list(after.status), after.failed, solver.not_finite), ([0, 3], 1, "r"))
        same(self, after.amounts[1], np.array([1.0, 0.0]))

    def test_light_and_what_the_file_itself_gives(self):
        equations = "<r> A = B : j(Pj_no2)*CFACTOR;"
        text = f"#DEFVAR\nA = IGNORE; B = IGNORE;\n#INITVALUES\nCFACTOR = 2.0;\n#EQUATIONS\n{equations}\n"
        (self.folder / "light.def").write_text(text)
        scheme = kinlane.Scheme(self.folder / "light.def", format="kpp")
        self.assertEqual((scheme.photolysis, scheme.inputs), (("no2",), ("CFACTOR",)))
        solver = scheme.solver(rtol=1e-9, threads=1)
        first = solver.advance(300.0, [1e10, 0.0], 1.0, photolysis={"no2": [0.1, 0.2]}, inputs={"CFACTOR": 2.0})
        np.testing.assert_allclose(first.amounts[:, 0], 1e10 * np.exp([-0.2, -0.4]), rtol=1e-7)
        self.assertEqual(scheme.usual_inputs, {"CFACTOR": 2.0})
        again = solver.advance(300.0, [1e10, 0.0], 1.0, photolysis=[[0.1], [0.2]])
        same(self, again.amounts, first.amounts)

    def test_a_star_burns_as_its_equation_says(self):
        ones = "1 1 1 1 1 1 1 1\n" * 3
        nuclides = "".join(f"{name} {a} {z} {a - z} 0.0 0.0\n{ones}" for name, a, z in (("4He", 4, 2), ("12C", 12, 6)))
        (self.folder / "CUDAnet_two.inp").write_text(nuclides)
        rate = "he4+he4+he4-->c12 3 0 8 3 1 0 0 0.16666667 7.275\n-24 0 0 0 0 0 0\n2 2 2\n2 2 2\n6\n6\n0 0 0\n1\n"
        (self.folder / "elsewhere.data").write_text(rate)
        star = kinlane.Scheme(self.folder / "CUDAnet_two.inp", rates=self.folder / "elsewhere.data")
        self.assertEqual((star.is_star, star.species, list(star.weights)), (True, ("4He", "12C"), [4.0, 12.0]))
        solver = star.solver(rtol=1e-9, threads=1)
        density = np.array([1e5, 2e5])
        after = solver.advance(1.0, [0.25, 0.0], 100.0, density=density)
        # dY/dt = -3 R Y^3 with R = f rho^2 exp(-24)
        r = 0.16666667 * density**2 * np.exp(-24.0)
        np.testing.assert_allclose(after.amounts[:, 0], 0.25 / np.sqrt(1 + 6 * r * 0.0625 * 100), rtol=1e-7)
        np.testing.assert_allclose(after.amounts @ star.weights, 1.0, rtol=1e-13)
        with self.assertRaisesRegex(kinlane.ArgumentError, "needs density"):
            solver.advance(1.0, [0.25, 0.0], 100.0)

    def test_a_library_has_the_reactions_among_the_nuclides(self):
        blank = " " * 5
        carbon = blank + "  he4  c12  o16".ljust(38) + "nac2 ".ljust(9) + " 7.16192e+00\n"
        neon = blank + "  he4  o16 ne20".ljust(38) + "co10 ".ljust(9) + " 4.72985e+00\n"
        back = blank + "  o16  he4  c12".ljust(38) + "nac2 v".ljust(9) + "-7.16192e+00\n"
        numbers = f"{-20:13.6e}" + f"{0:13.6e}" * 3 + "\n" + f"{0:13.6e}" * 3 + "\n"
        (self.folder / "library").write_text("".join(f"{n}\n{s}{numbers}" for n, s in ((4, carbon), (4, neon), (2, back))))
        (self.folder / "table.txt").write_text("1.0E+9 2.0E+9\n\no16\n1.0 3.0\n")
        library = self.folder / "library"
        self.assertEqual(len(kinlane.Scheme(library).reactions), 3)
        given = {"nuclides": ["he4", "c12", "o16"], "partition": [self.folder / "table.txt"]}
        star = pickle.loads(pickle.dumps(kinlane.Scheme(library, **given)))
        self.assertEqual((star.species, len(star.reactions)), (("he4", "c12", "o16"), 2))
        k = star.solver(threads=1).rates(2.0, [0.1, 0.01, 0.01], density=1e6).constants[0]
        # exp(-20) rho, and back exp(-20)/G of o16
        np.testing.assert_allclose(k, np.exp(-20.0) * np.array([1e6, 1 / 3.0]), rtol=1e-12)
        # Carbon and helium have 7.162 MeV more than oxygen, and attract their electrons.
        np.testing.assert_allclose(star.mass_excesses @ [1, 1, -1], 7.16192, rtol=1e-5)
        screened = kinlane.Scheme(library, screening="chugunov2007", **given)
        enhanced = pickle.loads(pickle.dumps(screened)).solver(threads=1).rates(2.0, [0.1, 0.01, 0.01], density=1e6).constants[0] / k
        np.testing.assert_allclose(enhanced, [1.025672004724605, 1.0], rtol=1e-9)
        with self.assertRaisesRegex(kinlane.ArgumentError, "none, chugunov2007"):
            kinlane.Scheme(library, screening="strong")
        (self.folder / "list.net").write_text("he4 c12\no16\n")
        self.assertEqual(kinlane.Scheme(library, nuclides=self.folder / "list.net").reactions, star.reactions)
        with self.assertRaisesRegex(kinlane.MechanismError, "no nuclide"):
            kinlane.Scheme(library, nuclides="he4,zz9")

    def test_zones_that_heat_themselves(self):
        burning = " " * 5 + "  c12  c12 mg24".ljust(38) + "made ".ljust(9) + " 1.39337e+01\n"
        numbers = "".join(f"{x:13.6e}" for x in (60, 0, -84, 0)) + "\n" + "".join(f"{x:13.6e}" for x in (0, 0, -2 / 3)) + "\n"
        (self.folder / "library").write_text(f"4\n{burning}{numbers}")
        star = kinlane.Scheme(self.folder / "library")
        T, density, X = np.array([2.0, 2.5, 3.0]), np.array([1e7, 1e8, 1e8]), np.tile([1.0, 0.0], (3, 1))
        np.savez(self.folder / "s.npz", T9=T, rho=density, X=X, species=star.species)
        for reactor in ("const-v", "const-p"):
            where = ("--states", "s.npz", "--dt", "1e-6", "--reactor", reactor, "--out", "o.npz")
            program(self.folder, "advance", "library", *where)
            zones = pickle.loads(pickle.dumps(star.zones(reactor=reactor, threads=1)))
            after = zones.advance(T, X / star.weights, 1e-6, density=density)
            self.assertEqual((after.failed, zones.method), (0, "bdf"))
            self.assertTrue((after.T > T).all() and ((after.density == density) == (reactor == "const-v")).all())
            with np.load(self.folder / "o.npz") as wanted:
                same(self, after.T, wanted["T9"])
                same(self, after.density, wanted["rho"])
                np.testing.assert_allclose(after.amounts * star.weights, wanted["X"], rtol=1e-14)
        own = zones.advance(T, X[0] / star.weights, [1e-6, 1e-7, 1e-7], density=density)
        self.assertEqual((own.T[0], list(own.reached)), (after.T[0], [1e-6, 1e-7, 1e-7]))
        with self.assertRaisesRegex(kinlane.ArgumentError, "number of cells"):
            zones.advance(T, X, 1e-6, density=density[:2])
        with self.assertRaisesRegex(kinlane.PlanError, "`lanes` means nothing"):
            star.zones(lanes="avx2")

    def test_solvers_refuse_what_they_are_not_made_for(self):
        gas = kinlane.Mechanism("h2")
        for solver, source, said in (
            (kinlane.Solver, self.scheme, "is a Scheme; Scheme.solver plans its solver"),
            (kinlane.Follower, self.scheme, "is a Scheme; Scheme.solver plans its solver"),
            (kinlane.SchemeSolver, gas, "is a Mechanism; Mechanism.solver plans its solver"),
            (kinlane.Zones, gas, "is a Mechanism; Mechanism.solver plans its solver"),
            (kinlane.Solver, gas.solver(threads=1), r"is a Solver; Mechanism\(...\) reads one"),
            (kinlane.Solver, "h2", r"'h2' is a str; Mechanism\(...\) reads one"),
            (kinlane.SchemeSolver, "chapman.def", r"is a str; Scheme\(...\) reads one"),
        ):
            with self.subTest(solver, source=source), self.assertRaisesRegex(kinlane.ArgumentError, said):
                solver(source, threads=1)
        with self.assertRaisesRegex(kinlane.ArgumentError, "no Solver"):
            kinlane.Continuation(gas, 3)

    def test_solvers_are_prepared(self):
        solver = self.scheme.solver(threads=1)
        solver.prepare(N)
        self.assertIsNone(solver.fallback)
        with self.assertRaisesRegex(kinlane.ArgumentError, "cells is -1"):
            solver.prepare(-1)

    def test_a_scheme_of_fixed_species_alone(self):
        scheme = kinlane.Scheme.from_text("#DEFFIX\nB = IGNORE;\n#EQUATIONS\n<r> B = B : 1e-3;\n", name="x.def")
        for device in ("cpu", "opencl"):
            try:
                solver = scheme.solver(threads=1, device=device)
            except kinlane.PlanError as absent:
                self.skipTest(str(absent))
            after = solver.advance(298.0, np.zeros((2, 0)), 1.0, fixed={"B": 1e10})
            self.assertEqual((after.amounts.shape, after.failed, list(after.reached)), ((2, 0), 0, [1.0, 1.0]))
            rates = solver.rates(298.0, np.zeros((2, 0)), fixed={"B": 1e10})
            self.assertEqual((rates.tendencies.shape, list(rates.constants[:, 0])), ((2, 0), [1e-3, 1e-3]))
            detail = solver.detail(298.0, np.zeros((2, 0)), fixed={"B": 1e10})
            np.testing.assert_allclose(detail.progress, 1e7)

    def test_what_is_held_fixed_is_said_to_be(self):
        with self.assertRaisesRegex(kinlane.ArgumentError, "no species `M`, which it knows as fixed species"):
            self.scheme.index("M")
        with self.assertRaisesRegex(kinlane.ArgumentError, "did you mean `O3`"):
            self.scheme.index("o3")

    def test_a_scheme_can_be_pickled(self):
        solver = pickle.loads(pickle.dumps(self.scheme.solver(rtol=1e-4)))
        self.assertEqual(solver.scheme.species, self.scheme.species)
        read = pickle.loads(pickle.dumps(kinlane.Scheme.from_text(CHAPMAN, name="chapman.def")))
        self.assertEqual((read.name, read.reactions), (self.scheme.name, self.scheme.reactions))

    def test_warnings_of_the_reader(self):
        self.assertEqual(self.scheme.warnings, ())
        doubtful = kinlane.Scheme.from_text("#DEFVAR\nA = IGNORE;\n#EQUATIONS\nA = PROD : 1/3;", name="a.def")
        self.assertEqual(len(doubtful.warnings), 1)
        self.assertIn("a.def:4", doubtful.warnings[0])


if __name__ == "__main__":
    unittest.main()
