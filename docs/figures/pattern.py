"""Draws pattern.svg: where the Jacobian of a mechanism has entries, before and after ordering and factorisation.

    kinlane check gri30 --quiet --json sizes.json; python pattern.py gri30.yaml sizes.json

The pattern is made here again, from what Cantera reads, and must come to the counts that kinlane prints.
"""
import json
import sys

import cantera as ct
from draw import BLUE, INK, ORANGE, line, rect, text, write

gas = ct.Solution(sys.argv[1])
names = gas.species_names
n = len(names) + 2
rows = [{i} for i in range(n)]
for reaction in gas.reactions():
    net = {}
    for side, sign in ((reaction.reactants, -1), (reaction.products, 1)):
        for name, nu in side.items():
            net[name] = net.get(name, 0) + sign * nu
    depends = set(reaction.reactants) | (set(reaction.products) if reaction.reversible else set())
    body = reaction.third_body
    if body:
        default = body.default_efficiency
        depends |= {name for name, e in body.efficiencies.items() if e != default}
    for name, nu in net.items():
        if nu:
            rows[names.index(name)] |= {names.index(other) for other in depends}
for i in range(n):  # T and sigma: two borders
    rows[i] |= {n - 2, n - 1}
rows[n - 2] = rows[n - 1] = set(range(n))

# Markowitz: the next pivot is that of the smallest (row - 1)(column - 1), T and sigma last.
left, order, work = set(range(n)), [], [set(r) for r in rows]
filled, operations = set(), 0
while left:
    inner = [i for i in left if i < n - 2] or sorted(left)
    column = {i: sum(i in work[r] for r in left) for i in inner}
    pivot = min(inner, key=lambda i: ((len(work[i] & left) - 1) * (column[i] - 1), i)) if len(left) > 2 else inner[0]
    right = (work[pivot] & left) - {pivot}
    for r in left - {pivot}:
        if pivot in work[r]:
            operations += len(right)
            filled |= {(r, j) for j in right - work[r]}
            work[r] |= right
    left.remove(pivot)
    order.append(pivot)
entries = sum(map(len, rows))
sizes = json.load(open(sys.argv[2]))["sizes"]
own = (entries, entries + len(filled), operations)
theirs = (sizes["jacobian_entries"], sizes["lu_entries"], sizes["lu_multiply_adds"])
assert own == theirs, f"{own} here, {theirs} in kinlane"

CELL, TOP, GAP = 8, 64, 60
side = n * CELL
shapes = []


def panel(x, title, below, has, is_fill):
    shapes.append(text(x, TOP - 14, title, 15, weight="bold"))
    bars = {"entry": "", "fill": ""}
    for i in range(n):
        start = None
        for j in range(n + 1):
            kind = None if j == n else "fill" if is_fill(i, j) else "entry" if has(i, j) else None
            if start and kind != start[1]:
                width = (j - start[0]) * CELL
                bars[start[1]] += f"M{x + start[0] * CELL:g} {TOP + i * CELL:g}h{width:g}v{CELL:g}h-{width:g}z"
                start = None
            if kind and not start:
                start = (j, kind)
    for kind, color in (("entry", BLUE), ("fill", ORANGE)):
        shapes.append(f'<path d="{bars[kind]}" fill="{color}" shape-rendering="crispEdges"/>')
    for a in (0, side):
        shapes.append(line(x, TOP + a, x + side, TOP + a))
        shapes.append(line(x + a, TOP, x + a, TOP + side))
    shapes.append(text(x, TOP + side + 22, below, 13))


panel(30, f"Jacobian, {n} × {n}, in the order of the file", f"{entries} of {n * n} entries; the last two rows and columns are T and σ",
      lambda i, j: j in rows[i], lambda i, j: False)
panel(30 + side + GAP, "L + U, in the order of elimination", f"{own[1]} entries, {operations} multiply-adds (dense: {n**3 // 3})",
      lambda i, j: order[j] in rows[order[i]], lambda i, j: (order[i], order[j]) in filled)
y = TOP + side + 44
shapes.append(rect(30, y - 11, 16, 12, BLUE))
shapes.append(text(54, y, "entry of the Jacobian", 13, fill=INK))
shapes.append(rect(240, y - 11, 16, 12, ORANGE))
shapes.append(text(264, y, "fill: an entry of the factors only", 13, fill=INK))
write("pattern.svg", int(60 + 2 * side + GAP), int(y + 18), "Pattern of the Jacobian of GRI-Mech 3.0 and of its factors", shapes)
