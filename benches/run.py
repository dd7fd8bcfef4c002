"""One run of `kinlane advance`, for the scripts beside this one."""

import json

import numpy as np
from record import mechanism

from common import kinlane, save_states


def advance(folder, name, gas, cells, dt, rtol, atol, *more, threads=1, check=True):
    """T, Y in the order of `gas`, the report, statuses and what was said of `cells`, which are T, P and Y, after `dt`."""
    states, out, report = (folder / file for file in ("s.npz", "o.npz", "o.json"))
    out.unlink(missing_ok=True)
    report.unlink(missing_ok=True)
    save_states(states, *cells, gas.species_names)
    done = kinlane("advance", mechanism(name), "--states", states, "--dt", repr(float(dt)), "--rtol", rtol, "--atol", atol,
                   "--threads", threads, "--out", out, "--json", report, "--quiet", *more, check=check)
    if not out.exists() or not report.exists():
        raise SystemExit(f"kinlane advance {name} wrote no answer:\n{done.stderr[-2000:]}")
    got = np.load(out)
    order = [list(got["species"]).index(s) for s in gas.species_names]
    return got["T"], got["Y"][:, order], json.loads(report.read_text()), got["status"], done.stderr
