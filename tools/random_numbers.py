"""Record the random numbers that TensorFlow draws, for the test that compares ours with them.

    python tools/random_numbers.py            # writes tests/autograph/compat/random_numbers.json
    python tools/random_numbers.py --check    # writes nothing, exits 1 on any difference

It needs TensorFlow: `pip install 'autograph-py[tensorflow]'`. The programs are those of
`tests/autograph/compat/random_programs`.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

RECORDED = ROOT / "tests" / "autograph" / "compat" / "random_numbers.json"
# This many digits distinguish all 32-bit numbers.
_DIGITS = 9


def drawn_by(tf: Any, names: list[str] | None = None) -> dict[str, list[float]]:
    """Return the numbers that the programs draw with a module, each as one list."""
    from tests.autograph.compat.random_programs import PROGRAMS

    return {name: _flat(tf, PROGRAMS[name](tf)) for name in names or sorted(PROGRAMS)}


def _flat(tf: Any, drawn: Any) -> list[float]:
    found: list[float] = []
    for each in tf.nest.flatten(drawn):
        values = np.ravel(each.numpy() if hasattr(each, "numpy") else each).tolist()
        found += [float(f"{value:.{_DIGITS}g}") for value in values]
    return found


def main(arguments: list[str] | None = None) -> int:
    """Record or compare; return the exit status."""
    parser = argparse.ArgumentParser(prog="random_numbers", description="Record TensorFlow's.")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    asked = parser.parse_args(arguments)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    tf = importlib.import_module("tensorflow")
    made = drawn_by(tf)
    lines = ",\n".join(f'  "{name}": {json.dumps(values)}' for name, values in made.items())
    text = f"{{\n{lines}\n}}\n"
    if not asked.check:
        RECORDED.write_text(text, encoding="utf-8")
        return 0
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    differing = sorted(name for name in made | recorded if made.get(name) != recorded.get(name))
    print("\n".join(f"{name}: TensorFlow {tf.__version__} draws others" for name in differing))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
