"""The same as host.c, with the package: stoichiometric hydrogen and air, in steps of a microsecond."""

import numpy as np

import kinlane

gas = kinlane.Mechanism("h2")
solver = gas.solver(rtol=1e-6, threads=1)
start = 1000.0 + 5.0 * np.arange(101)
T, P = start.copy(), np.full(start.size, 1e5)
Y = np.zeros((start.size, len(gas.species)))
for name, fraction in {"H2": 0.0285, "O2": 0.2264, "N2": 0.7451}.items():
    Y[:, gas.index(name)] = fraction

for step in range(100):
    after = solver.advance(T, P, Y, 1e-6, inplace=True)
    for cell in np.flatnonzero(~after.done):
        print(f"step {step}, cell {cell}: {kinlane.Status(after.status[cell]).text}")
for before, now in zip(start[::20], T[::20]):
    print(f"{before:6.0f} K: {now:7.2f} K after 1e-4 s")
