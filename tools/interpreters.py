"""The supported Pythons of this machine, and a fresh environment for each."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

SUPPORTED = ("3.10", "3.11", "3.12", "3.13")


def version_of(executable: str) -> str | None:
    """`3.11` for an interpreter that starts, None for one that does not."""
    script = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        run = subprocess.run([executable, "-c", script], capture_output=True, text=True, timeout=60)
    except OSError:
        return None
    return run.stdout.strip() if run.returncode == 0 else None


def _candidates(version: str, extra: list[str]) -> Iterator[str]:
    yield from extra
    on_path = shutil.which(f"python{version}")
    if on_path:
        yield on_path
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from (str(path) for path in sorted(home.glob(f"versions/{version}.*/bin/python")))


def found(extra: list[str]) -> dict[str, str]:
    """An interpreter for each supported version this machine has; `extra` are tried first."""
    interpreters = {}
    for version in SUPPORTED:
        fitting = (one for one in _candidates(version, extra) if version_of(one) == version)
        executable = next(fitting, None)
        if executable:
            interpreters[version] = executable
    return interpreters


def environment(executable: str, folder: Path, *requirements: str) -> Path:
    """Make a virtual environment with some packages, as pip takes them; return its Python."""
    subprocess.run([executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", *requirements]
    subprocess.run(install, check=True)
    return python
