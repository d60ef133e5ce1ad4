"""The CPU time and memory of imports in fresh processes, compared with NumPy's import."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.bench import clock
from tools.bench.lines import Bar, Line, ratio, row

# Linux reports the resident size: a child's maximum would start with its parent's.
_TELL = """
import time
began = time.process_time()
{}
spent = time.process_time() - began
import os, resource, sys
try:
    with open("/proc/self/statm") as told:
        resident = int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
except OSError:
    scale = 1 if sys.platform == "darwin" else 1024
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
print(spent, resident / 1e6)
"""
_PROGRAM = """
import autograph as ag
import runtime as rt

@ag.function
def total(n):
    s = 0
    while n > 0:
        if n > 3:
            s += n
        n -= 1
    return s

total(rt.constant(5))
"""
NUMPY = "import numpy"
CALL = "import autograph and a first call"
STATEMENTS = {
    NUMPY: NUMPY,
    "import runtime": "import runtime",
    "import autograph": "import autograph",
    "import autograph.compat.tensorflow": "import autograph.compat.tensorflow",
    CALL: "import runpy, sys; runpy.run_path(sys.argv[1])",
}
# In multiples of NumPy's CPU time, with NumPy's own import included; and in megabytes.
BARS = {
    "import runtime": Bar(2.0),
    "import autograph": Bar(2.0),
    "import autograph.compat.tensorflow": Bar(2.0),
    CALL: Bar(4.0),
}
MEMORY = Bar(70.0)


def lines(rounds: int) -> Iterator[Line]:
    """Measure each statement in fresh processes that take turns, and yield a table of medians."""
    yield Line(row("in a fresh process", "CPU", "NumPy's", "memory"))
    told: dict[str, list[tuple[float, float]]] = {name: [] for name in STATEMENTS}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        Path(path).write_text(_PROGRAM, encoding="utf-8")
        # In the first round Python writes its files of compiled modules.
        for number in range(rounds + 1):
            for name, statement in STATEMENTS.items():
                found = _told(statement, path)
                told[name] += [found] if number else []
    least = statistics.median(seconds for seconds, _ in told[NUMPY])
    for name, found_each in told.items():
        seconds = statistics.median(each for each, _ in found_each)
        memory = statistics.median(each for _, each in found_each)
        missed = MEMORY.missed(f"memory of {name}", memory)
        if name in BARS:
            missed += BARS[name].missed(f"{name} against NumPy", seconds / least)
        cells = (clock.readable(seconds), ratio(seconds / least), f"{memory:.0f} MB")
        yield Line(row(name, *cells), missed)


def _told(statement: str, path: str) -> tuple[float, float]:
    command = [sys.executable, "-c", _TELL.format(statement), path]
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        command, cwd=clock.ROOT, env=kept, capture_output=True, text=True, check=True
    )
    seconds, memory = done.stdout.split()[-2:]
    return float(seconds), float(memory)
