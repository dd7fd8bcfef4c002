"""`auto` beside the best single method at equal error, from tables of `kinlane bench work-precision --csv`.

usage: python benches/equal.py WP.csv [WP.csv ...]
Several tables of the same runs count as repetitions: the fastest of each run is taken. Runs are a decade of rtol apart, and
a method that is ahead by a rung there may not be so by the work it does; so times at equal error are interpolated, between
neighbouring runs, in the logarithms of both. A method has no time at an error that it did not reach.
"""
import collections
import csv
import sys

import numpy as np

GOALS = [10.0**-k for k in range(2, 11)]


def curves(paths):
    """For each (case, interval) and method: errors, falling, with the least time at which each or a smaller one was reached."""
    fastest = {}
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                if int(row["failed"]) == 0:
                    key = row["case"], row["task"], row["method"], row["rtol"]
                    run = float(row["us_per_cell"]), float(row["error_p99"])
                    fastest[key] = min(run, fastest.get(key, run))
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for (case, task, method, _), (time, error) in fastest.items():
        found[case, task][method].append((time, error))
    return {where: {method: useful(runs) for method, runs in by.items()} for where, by in found.items()}


def useful(runs):
    """The runs, by rising time, that are more accurate than every faster one."""
    kept = []
    for time, error in sorted(runs):
        if error > 0 and (not kept or error < kept[-1][1]):
            kept.append((time, error))
    return kept


def at(runs, goal):
    """The time at which a method reaches an error, or nothing."""
    times, errors = np.array(runs).T
    if not errors[-1] <= goal:
        return None
    return float(np.exp(np.interp(-np.log(goal), -np.log(errors), np.log(times))))


def main(paths):
    for (case, task), by in curves(paths).items():
        print(f"\n{case}, {task}\n\n| error | auto (us per cell) | the best single method | auto / best |\n|---|---|---|---|")
        for goal in GOALS:
            times = {method: time for method, runs in by.items() if (time := at(runs, goal))}
            auto = times.pop("auto", None)
            if auto and times:
                best = min(times, key=times.get)
                print(f"| {goal:.0e} | {auto:.2f} | {best} | {auto / times[best]:.2f} |")


main(sys.argv[1:])
