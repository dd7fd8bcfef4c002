#!/usr/bin/env python3
"""What `kinlane check` finds in published mechanisms, as the table of docs/findings.md.

    python benches/findings.py KINLANE [DATA_FOLDER] > docs/findings.md

KINLANE is the program; DATA_FOLDER holds `combustion/NAME/`. CHEMKIN text is read where there is any, else YAML.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

COLUMNS = [
    ("M0401", "cp, h, s jump"),
    ("M0402", "range"),
    ("M0403", "cp"),
    ("M0404", "collisions"),
    ("M0405", "negative k"),
    ("M0407", "Fcent"),
    ("M0411", "apart"),
]
REPAIRED = ["M0309", "M0312", "M0315", "M0330"]

HEAD = """# What is doubtful in published mechanisms

`kinlane check` on mechanisms as they were published. Each cell counts warnings, and notes in brackets; `kinlane explain
M0401` and so on tells what a column means. A warning is a fact about the file, not a verdict on the mechanism: where it
counts depends on what is burnt. *Repaired* is text that the reader mends and that Cantera's converter refuses unless it
is told to be permissive. *Other* is everything else that is a warning. Written by `benches/findings.py`.
"""


def check(program, path):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "f.json"
        subprocess.run([program, "check", path, "--quiet", "--json", out], capture_output=True)
        return json.loads(out.read_text())


def main():
    program = Path(sys.argv[1]).resolve()
    data = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parents[2] / "shared/data") / "combustion"
    heads = [f"{name} ({code})" for code, name in COLUMNS]
    print(HEAD)
    print("| mechanism | species | reactions | " + " | ".join(heads) + " | repaired | other |")
    print("|---" * (5 + len(COLUMNS)) + "|")
    worst = []
    for folder in sorted(p for p in data.iterdir() if p.name != "rate_types"):
        text = folder / "chem.inp"
        report = check(program, text) if text.exists() else None
        if not report or report["errors"]:
            report = check(program, folder / f"{folder.name}.yaml")
        found = report["findings"]

        def count(keep):
            chosen = [f for f in found if keep(f)]
            warnings = sum(f["severity"] == "warning" for f in chosen)
            notes = sum(f["severity"] == "note" for f in chosen)
            return f"{warnings or ''}{f' ({notes})' if notes else ''}".strip() or "-"

        own = {code for code, _ in COLUMNS} | set(REPAIRED)
        cells = [count(lambda f, code=code: f["code"] == code) for code, _ in COLUMNS]
        cells.append(count(lambda f: f["code"] in REPAIRED))
        cells.append(count(lambda f: f["code"] not in own and f["severity"] == "warning"))
        sizes = report["sizes"]
        print(f"| {folder.name} | {sizes['species']} | {sizes['reactions']} | " + " | ".join(cells) + " |")
        worst += [(folder.name, f) for f in found if f["severity"] == "warning" and f["code"] in ("M0401", "M0403", "M0404", "M0405", "M0407", "M0411")]
    print("\n## The first of each kind\n")
    seen = {}
    for name, f in worst:
        key = (name, f["code"])
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 1:
            print(f"- {name}, {f['code']}: {f['message']}")


if __name__ == "__main__":
    main()
