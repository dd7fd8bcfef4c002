"""Writes radau.json: what scipy's Radau needs for the runs of cvode.json.

    python radau.py PATH/TO/golden/stiff_test_set.json > radau.json

Made with scipy 1.17, whose Radau follows RADAU5 of Hairer and Wanner. Dense Jacobians by difference quotients; `rhs` leaves out
what these took, `factor` counts a real and a complex matrix as one. `error` is the largest at the end in units of atol + rtol |y|.
"""

import json
import pathlib
import sys

import numpy as np
from scipy.integrate import Radau

from equations import system


def main():
    problems = json.loads(pathlib.Path(sys.argv[1]).read_text())["problems"]
    runs = []
    for run in json.loads((pathlib.Path(__file__).parent / "cvode.json").read_text()):
        f = system(problems[run["problem"]]["equations"])
        y0 = problems[run["problem"]]["y0"]
        tolerances = {key: run[key] for key in ("rtol", "atol")}
        solver = Radau(lambda _, y: f(y), 0.0, np.array(y0, float), run["end"], **tolerances)
        steps = 0
        while solver.status == "running":
            solver.step()
            steps += 1
        if solver.status != "finished":
            print(f"{run['problem']} at {tolerances}: failed", file=sys.stderr)
            continue
        exact = np.array(run["exact"])
        error = np.max(np.abs(solver.y - exact) / (run["rtol"] * np.abs(exact) + run["atol"]))
        counts = {"steps": steps, "rhs": solver.nfev, "jac": solver.njev, "factor": solver.nlu // 2}
        known = {key: run[key] for key in ("problem", "end", "rtol", "atol", "exact")}
        runs.append({**known, **counts, "error": float(f"{error:.2e}")})
    print("[\n" + ",\n".join(map(json.dumps, runs)) + "\n]")


main()
