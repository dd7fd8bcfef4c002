"""Draws lanes.svg: how cells lie side by side in registers."""
from draw import BLUE, INK, PALE, arrow, rect, text, write

shapes = []
CELL, TOP, LEFT = 62, 70, 250
names = ["T", "ln T", "C of H2", "C of O2", "rate 1", "rate 2", "…"]
shapes.append(text(LEFT, TOP - 38, "One register: the same number of eight cells", 15, weight="bold"))
for lane in range(8):
    shapes.append(text(LEFT + lane * CELL + CELL / 2, TOP - 10, f"cell {'adfgjkmp'[lane]}", 13, "middle"))
for row, name in enumerate(names):
    y = TOP + row * 34
    shapes.append(text(LEFT - 14, y + 20, name, 13, "end"))
    for lane in range(8):
        fill = PALE if lane == 3 else "#fff"
        shapes.append(rect(LEFT + lane * CELL, y, CELL, 28, fill, INK))
        if name != "…":
            shapes.append(text(LEFT + lane * CELL + CELL / 2, y + 19, "•", 14, "middle", fill=BLUE))
bottom = TOP + len(names) * 34
shapes.append(text(40, TOP + 74, "one instruction", 13))
shapes.append(text(40, TOP + 92, "works on one row", 13))
shapes.append(arrow(40, TOP + 104, 160, TOP + 104))
x = LEFT + 3 * CELL + CELL / 2
shapes.append(arrow(x, bottom + 44, x, bottom + 8))
shapes.append(text(x, bottom + 62, "one cell is one column, with its own time, step size and order", 13, "middle"))
write("lanes.svg", 800, bottom + 82, "Cells side by side in registers", shapes)
