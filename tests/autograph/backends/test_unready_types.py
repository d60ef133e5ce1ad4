"""Types that CPython has not made ready yet are handled like any other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import autograph as ag
from runtime.graph.graph import Graph

def f(code):
    lines = code.co_lines()
    return next(iter(lines)) is not None

converted = ag.to_graph(f)
with Graph("g").recording():
    print(converted(f.__code__))
"""


def test_an_iterator_type_without_a_ready_type_object(tmp_path: Path) -> None:
    path = tmp_path / "unready.py"
    path.write_text(PROGRAM, encoding="utf-8")
    root = Path(__file__).resolve().parents[3]
    script = f"import sys; sys.path[:0] = [{str(root)!r}, {str(tmp_path)!r}]; import unready"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (0, "True\n") == (done.returncode, done.stdout)
