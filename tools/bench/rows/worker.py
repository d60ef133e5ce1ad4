"""A process that measures one side, controlled by lines of JSON, on one core.

    python worker.py side_ours

The file runs by itself in any interpreter with NumPy and the side's library: the parent process
sets the environment that limits libraries to one thread.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

_LARGEST_BATCH = 1 << 20
# Longer calls, in seconds, get no second warm-up call.
_LONG = 0.3


class Side:
    """The workloads of one library, as far as they are prepared."""

    def __init__(self, name: str) -> None:
        self.module: Any = importlib.import_module(f"tools.bench.rows.{name}")
        self._plain: Any = importlib.import_module("tools.bench.rows.plain")
        self._timed: Any = importlib.import_module("tools.bench.rows.timed")
        self._runs: dict[str, Callable[[], Any]] = {}

    def hello(self) -> dict[str, Any]:
        """Return the rows this side can measure, and the versions of its libraries."""
        rows = {mode: list(rows) for mode, rows in self.module.MODES.items()}
        return {"rows": rows, "versions": self.module.VERSIONS, "python": platform.python_version()}

    def prepare(self, row: str, modes: list[str]) -> dict[str, str | None]:
        """Prepare a row in some modes; return the errors, or None for each correct result."""
        self._runs.clear()
        return {mode: self._prepared(row, mode) for mode in modes}

    def _prepared(self, row: str, mode: str) -> str | None:
        try:
            run = self.module.MODES[mode][row]()
            began = time.process_time()
            found = run()
            took = time.process_time() - began
            differs: str | None = self._timed.difference(row, self._plain.EXPECTED[row]()(), found)
            if differs is None:
                if took < _LONG:
                    run()
                self._runs[mode] = run
            return differs
        except Exception as error:
            return f"{type(error).__name__}: {error}".splitlines()[0][:200]

    def round(self, mode: str, seconds: float) -> dict[str, float]:
        """Call a prepared row for about `seconds`; return CPU and wall seconds of one call."""
        run = self._runs[mode]
        with _without_collection():
            count, spent = 1, _batch(run, 1)
            while spent[0] < seconds / 3 and count < _LARGEST_BATCH:
                count = max(2 * count, int(count * seconds / max(spent[0], 1e-7)))
                count = min(count, _LARGEST_BATCH)
                spent = _batch(run, count)
        return {"cpu": spent[0] / count, "wall": spent[1] / count}


def _batch(run: Callable[[], Any], count: int) -> tuple[float, float]:
    """Return CPU and wall seconds of `count` calls, or the times they measured themselves."""
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(count):
        result = run()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    if not hasattr(result, "seconds"):
        return cpu, wall
    own = result.seconds + sum(run().seconds for _ in range(count - 1))
    return own, own


@contextlib.contextmanager
def _without_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def main() -> None:
    """Answer lines from standard input until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # The output of libraries must not mix with the answers.
    os.dup2(2, 1)
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(0, {int(sys.argv[2])})
    side = Side(sys.argv[1])
    for line in sys.stdin:
        asked = json.loads(line)
        answer = getattr(side, asked.pop("do"))(**asked)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
