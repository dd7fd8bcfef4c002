"""Builds libkinlane with cargo and puts it into the wheel, which is then for this system, and for any Python 3."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

NAMES = {"win32": "kinlane.dll", "darwin": "libkinlane.dylib"}


class LibraryHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            sys.exit("kinlane is built from its repository: `pip install ./python`; an archive of this folder lacks the Rust")
        name = NAMES.get(sys.platform, "libkinlane.so")
        given = os.environ.get("KINLANE_LIBRARY")
        library = Path(given) if given else build(Path(self.root).parent, name)
        if not library.is_file():
            sys.exit(f"KINLANE_LIBRARY: there is no file {library}, seen from {Path.cwd()}; give its whole path")
        if version == "editable":
            # Python then reads the package where it stands, and looks for the library beside it.
            shutil.copyfile(library, Path(self.root) / "src" / "kinlane" / name)
        else:
            build_data["force_include"][str(library)] = f"kinlane/{name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{next(iter(platform_tags()))}"


def build(repository: Path, name: str) -> Path:
    """The library, as cargo builds it now."""
    cargo = shutil.which("cargo") or shutil.which("cargo", path=str(Path.home() / ".cargo" / "bin"))
    if cargo is None:
        sys.exit("cargo is missing: install Rust from https://rustup.rs, or name a library in KINLANE_LIBRARY")
    # All libraries of the workspace: so the large crates are those that `cargo build --release` has built.
    subprocess.run([cargo, "build", "--release", "--lib"], cwd=repository, check=True)
    asked = [cargo, "metadata", "--no-deps", "--format-version", "1"]
    metadata = subprocess.run(asked, cwd=repository, check=True, capture_output=True, text=True).stdout
    built = Path(json.loads(metadata)["target_directory"]) / "release"
    # Without what only debuggers and profilers read, five sixths of it; other systems than Linux would have it signed again.
    strip = shutil.which("strip") if sys.platform == "linux" else None
    (built / "wheel").mkdir(exist_ok=True)
    small = built / "wheel" / name
    if strip and subprocess.run([strip, "--strip-debug", "-o", small, built / name]).returncode == 0:
        return small
    return built / name
