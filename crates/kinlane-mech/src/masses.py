"""The table in `masses.txt`: python masses.py nubase_4.mas20.txt > masses.txt.

NUBASE2020 (Kondev and others 2021) has, with other properties, the mass excesses of the atomic mass evaluation of 2020;
ground states are those with 0 behind the number of protons. Columns as in the head of that file.
"""

import sys
from collections import defaultdict

excess = defaultdict(dict)
for line in open(sys.argv[1], encoding="ascii"):
    if line.startswith("#") or line[7] != "0":
        continue
    # Estimates have # in the place of the decimal point.
    number = line[18:31].replace("#", " ").strip()
    if number:
        excess[int(line[4:7])][int(line[:3])] = float(number) / 1000

print("# Mass excesses of neutral atoms in their ground states [MeV], of NUBASE2020 (Kondev and others 2021,")
print("# doi:10.1088/1674-1137/abddae), made by masses.py. A line: Z, the first A, and a number for each A from there on.")
for z, of in sorted(excess.items()):
    numbers = (f"{of[a]:.12g}" if a in of else "-" for a in range(min(of), max(of) + 1))
    print(z, min(of), *numbers)
