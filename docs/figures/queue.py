"""Draws queue.svg: eight lanes that work on a real batch, group by group and from a queue.

    python queue.py OUT.npz      an output file of `kinlane advance`
"""
import sys

import numpy as np
from draw import BLUE, GREY, INK, PALE, line, rect, text, write

LANES, CELLS = 8, 64
out = np.load(sys.argv[1])
attempts = (out["steps"].astype(int) + out["rejected"])[:CELLS]

# Group by group: a group is done when its slowest cell is.
groups, at = [], 0
for first in range(0, CELLS, LANES):
    group = attempts[first : first + LANES]
    groups += [(lane, at, n) for lane, n in enumerate(group)]
    at += group.max()
last_of_groups = at

# From a queue: a lane that is done takes the next cell.
queue, free = [], [0] * LANES
for n in attempts:
    lane = free.index(min(free))
    queue.append((lane, free[lane], n))
    free[lane] += n
last_of_queue = max(free)

LEFT, RIGHT, ROW, WIDTH = 70, 30, 18, 960
scale = (WIDTH - LEFT - RIGHT) / max(last_of_groups, last_of_queue)
shapes = []


def panel(top, title, bars, end):
    share = sum(n for _, _, n in bars) / (end * LANES)
    shapes.append(text(LEFT, top - 12, f"{title}: {end} attempts, lanes busy {share:.0%} of the time", 15, weight="bold"))
    for lane in range(LANES):
        y = top + lane * ROW
        shapes.append(text(LEFT - 8, y + 13, f"lane {lane + 1}", 12, "end"))
        shapes.append(rect(LEFT, y + 1, end * scale, ROW - 2, "url(#idle)"))
    shades = [0] * LANES
    for lane, start, n in bars:
        fill = (BLUE, PALE)[shades[lane] % 2]
        shades[lane] += 1
        shapes.append(rect(LEFT + start * scale, top + lane * ROW + 1, n * scale, ROW - 2, fill, "#fff"))
    bottom = top + LANES * ROW
    shapes.append(line(LEFT, bottom + 3, WIDTH - RIGHT, bottom + 3))
    step = 50 if max(last_of_groups, last_of_queue) > 250 else 20
    for tick in range(0, int((WIDTH - LEFT - RIGHT) / scale) + 1, step):
        x = LEFT + tick * scale
        shapes.append(line(x, bottom + 3, x, bottom + 8))
        shapes.append(text(x, bottom + 22, tick, 12, "middle"))
    shapes.append(text((LEFT + WIDTH - RIGHT) / 2, bottom + 42, "attempted steps, one after another", 13, "middle"))


panel(62, "Groups of eight", groups, last_of_groups)
panel(308, "A queue", queue, last_of_queue)
shapes.append(rect(LEFT, 524, 26, 14, BLUE))
shapes.append(rect(LEFT + 30, 524, 26, 14, PALE))
shapes.append(text(LEFT + 64, 536, "a cell at work (two shades, to tell cells apart)", 13))
shapes.append(rect(LEFT + 440, 524, 26, 14, "url(#idle)", GREY))
shapes.append(text(LEFT + 474, 536, "a lane without work", 13, fill=INK))
write("queue.svg", WIDTH, 556, "Eight lanes working on 64 cells in groups and from a queue", shapes)
