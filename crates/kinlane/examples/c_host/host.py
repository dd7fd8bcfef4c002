"""The same as host.c, in Python: python3 host.py PATH/TO/libc_host.so"""

import ctypes
import sys

import numpy as np

kinlane = ctypes.CDLL(sys.argv[1])
array = np.ctypeslib.ndpointer(np.float64, flags="C_CONTIGUOUS")
solver, size, real, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_double, ctypes.c_char_p
for name, result, arguments in [
    ("open", solver, [text, real, real, ctypes.c_int, text, size]),
    ("species_count", size, [solver]),
    ("species_index", ctypes.c_long, [solver, text]),
    ("advance", ctypes.c_long, [solver, size, array, array, array, real]),
    ("error", text, [solver]),
    ("close", None, [solver]),
]:
    function = getattr(kinlane, f"kinlane_{name}")
    function.restype, function.argtypes = result, arguments

error = ctypes.create_string_buffer(2000)
chemistry = kinlane.kinlane_open(b"h2", 1e-6, 1e-12, 1, error, len(error))
if not chemistry:
    sys.exit(error.value.decode())
start = 1000.0 + 5.0 * np.arange(101)
temperature, pressure = start.copy(), np.full(start.size, 1e5)
y = np.zeros((start.size, kinlane.kinlane_species_count(chemistry)))
for name, fraction in [(b"H2", 0.0285), (b"O2", 0.2264), (b"N2", 0.7451)]:
    y[:, kinlane.kinlane_species_index(chemistry, name)] = fraction
for step in range(100):
    failed = kinlane.kinlane_advance(chemistry, start.size, temperature, pressure, y, 1e-6)
    if failed:
        sys.exit(f"{failed} failed: {kinlane.kinlane_error(chemistry).decode()}")
for before, after in zip(start[::20], temperature[::20]):
    print(f"{before:6.0f} K: {after:7.2f} K after 1e-4 s")
kinlane.kinlane_close(chemistry)
