"""The problems of golden/stiff_test_set.json, for cvode.py and radau.py."""

import re


def system(equations):
    """f from text such as y1' = -A*y1 + r2; what is no derivative comes first and is a constant or a rate."""
    lines = [part for line in equations for part in re.sub(r"\(mu.*", "", line).split(", ")]
    lines.sort(key=lambda line: "'" in line)
    n = sum("'" in line for line in lines)
    text = re.sub(r"\by(\d+)'", r"out[\1 - 1]", "\n".join(lines))
    text = re.sub(r"\by(\d+)\b", r"y[\1 - 1]", text).replace("^", "**")
    code = compile(text, "equations", "exec")

    def f(y):
        names = {"y": y.tolist(), "out": [0.0] * n}
        exec(code, names)
        return names["out"]

    return f
