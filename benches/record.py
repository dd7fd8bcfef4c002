"""What every record says first, and where the acceptance helpers are."""

import datetime
import os
import pathlib
import platform
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("KINLANE_DATA", ROOT.parent / "shared/data"))
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BIN = pathlib.Path(os.environ.get("KINLANE", TARGET / "release/kinlane"))
os.environ.setdefault("KINLANE", str(BIN))
ACCEPTANCE = DATA.parent / "acceptance"
sys.path.insert(0, str(ACCEPTANCE))


def mechanism(name):
    return DATA / "combustion" / name / f"{name}.yaml"


def _git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def _machine():
    model, flags = platform.machine(), set()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if pathlib.Path("/proc/cpuinfo").exists() else []:
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            model = value.strip()
        if key.strip() == "flags":
            flags = set(value.split())
    wide = [f for f in ("avx512f", "avx2", "fma") if f in flags]
    return f"{model}, {os.cpu_count()} cores seen, {' '.join(wide) or 'no wide vectors'}, load {os.getloadavg()[0]:.1f} at the start"


class Record:
    """Collects lines, printed as they come, and writes them into benches/records/."""

    def __init__(self, subject, title):
        today = datetime.date.today().isoformat()
        self.path = ROOT / "benches/records" / f"{today}-{subject}.md"
        self.lines = []
        self.say(f"# {title}\n")
        self.say(f"- date: {today}")
        self.say(f"- commit: {_git('rev-parse', '--short', 'HEAD')}{'+' if _git('status', '--porcelain') else ''}")
        self.say(f"- machine: {_machine()}")
        command = shlex.join(["python", f"benches/{pathlib.Path(sys.argv[0]).name}", *sys.argv[1:]])
        self.say(f"- command: `{command}`")

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def table(self, *head):
        self.say("\n| " + " | ".join(head) + " |\n|" + "---|" * len(head))

    def row(self, *cells):
        self.say("| " + " | ".join(map(str, cells)) + " |")

    def write(self):
        self.path.write_text("\n".join(self.lines) + "\n")
        print(f"\nwritten: {self.path.relative_to(ROOT)}")
