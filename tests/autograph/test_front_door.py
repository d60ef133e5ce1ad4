"""The front door: what `import autograph` gives, and how quickly."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import autograph as ag

ROOT = Path(__file__).resolve().parents[2]

SECONDS = """
import time
import numpy
start = time.perf_counter()
import autograph
print(time.perf_counter() - start)
"""


def test_everything_named_is_there():
    assert all(getattr(ag, name) is not None for name in ag.__all__)
    assert sorted(ag.__all__) == ag.__all__


def test_the_version_is_that_of_the_distribution():
    stated = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert stated is not None and stated[1] == ag.__version__


def test_importing_is_quick():
    command = [sys.executable, "-c", SECONDS]
    environment = {"PYTHONPATH": str(ROOT)}
    runs = [
        float(subprocess.run(command, capture_output=True, env=environment, check=True).stdout)
        for _ in range(3)
    ]
    assert min(runs) < 0.5  # a fifth of a second where nothing else runs


def test_directives_do_nothing_in_plain_python():
    total = 0
    for i in range(3):
        ag.set_loop_options(maximum_iterations=1, shape_invariants=[(total, None)])
        total += i
    assert total == 3
