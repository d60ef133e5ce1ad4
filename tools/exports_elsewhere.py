"""Exports in one fresh environment, and runs in two others that do not have this project.

    python tools/exports_elsewhere.py

The first environment has the project without TensorFlow, the second TensorFlow alone, and the third
onnxruntime alone. `exported_programs.py` exports in the first, `run_exported.py` loads, runs and
compares in the others, and `saved_model_cli` runs collatz.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.interpreters import environment

ROOT = Path(__file__).resolve().parent.parent
ENGINES = {"saved_model": ("tensorflow-cpu~=2.21.0",), "onnx": ("onnxruntime",)}


def run(*command: str | Path) -> str:
    """Run a command outside of the project, and return its output.

    Raises:
        SystemExit: it fails; the text has its output.
    """
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        list(map(str, command)), cwd=tempfile.gettempdir(), env=variables, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} fails:\n{done.stdout}")
    return done.stdout


def export(folder: Path) -> Path:
    """Export the programs in an environment without TensorFlow; return their folder."""
    python = environment(sys.executable, folder / "project", f"{ROOT}[onnx]")
    found = folder / "exported"
    found.mkdir()
    assert "tensorflow" not in run(python, "-m", "pip", "list").lower()
    run(python, "-I", ROOT / "tools" / "exported_programs.py", found)
    return found


def check(exported: Path, folder: Path, kind: str) -> str:
    """Run the programs in an environment with an engine alone; return the outcome."""
    python = environment(sys.executable, folder / kind, *ENGINES[kind])
    found = run(python, "-I", ROOT / "tools" / "run_exported.py", exported, kind)
    lines = [line for line in found.splitlines() if line.endswith("are the same")]
    if kind == "saved_model":
        lines.append(f"saved_model_cli: {_served(python, exported)}")
    return "\n".join(f"{kind}: {line}" for line in lines)


def _served(python: Path, exported: Path) -> str:
    """Return the number of steps that `saved_model_cli` computes for 27."""
    found = run(
        python.with_name("saved_model_cli"), "run", "--dir", exported / "collatz",
        "--tag_set", "serve", "--signature_def", "serving_default",
        "--inputs", f"n={exported / 'collatz.npz'}[2/in/n]",
    )  # fmt: skip
    steps = found.split()[-1]
    if steps != "111":
        raise SystemExit(f"saved_model_cli gives {steps}, not 111")
    return f"collatz of 27 takes {steps} steps"


def main() -> int:
    """Export and compare; a difference ends the program with the output of the failed step."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        exported = export(folder)
        for kind in ENGINES:
            print(check(exported, folder, kind), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
