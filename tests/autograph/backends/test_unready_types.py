"""Types that CPython has not made ready yet are looked up like any other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import autograph as ag
from runtime.graph.graph import Graph

def f(code):
    places = code.co_positions()
    return next(iter(places)) is not None

converted = ag.to_graph(f)
with Graph("g").recording():
    print(converted(f.__code__))
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects have no co_positions")
def test_the_type_of_an_iterator_nobody_has_asked_of(tmp_path: Path) -> None:
    path = tmp_path / "unready.py"
    path.write_text(PROGRAM, encoding="utf-8")
    root = Path(__file__).resolve().parents[3]
    script = f"import sys; sys.path[:0] = [{str(root)!r}, {str(tmp_path)!r}]; import unready"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (0, "True\n") == (done.returncode, done.stdout)
