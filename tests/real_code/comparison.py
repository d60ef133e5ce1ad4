"""CPython's tests of a module before and after conversion, side by side."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.real_code.modules import Module

ROOT = Path(__file__).resolve().parents[2]
_LONGEST = 1800  # seconds


@dataclass(frozen=True)
class Run:
    """The tests of one module, run in an interpreter of their own.

    Attributes:
        ends: how each test ended, by its name.
        tracebacks: why, for the tests that failed.
        converted: the functions that ran converted code.
        refused: the functions that could not be converted, with the reason.
        recorded: the ops that a graph has recorded, each with its place in the source.
    """

    ends: Mapping[str, list[str]]
    tracebacks: Mapping[str, str]
    converted: list[str]
    refused: Mapping[str, str]
    recorded: list[str]


@dataclass(frozen=True)
class Comparison:
    """One module with and without conversion."""

    module: Module
    mode: str
    before: Run
    after: Run

    @property
    def functions(self) -> int:
        """How many functions the module has."""
        return len(self.after.converted) + len(self.after.refused)

    @property
    def share(self) -> float:
        """The share of them that is converted, between 0 and 1."""
        return len(self.after.converted) / max(1, self.functions)

    @property
    def differences(self) -> dict[str, str]:
        """The tests that end in another way, each with its two ends and its traceback now."""
        before, after = self.before.ends, self.after.ends
        names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
        return {name: self._difference(name) for name in names}

    def _difference(self, name: str) -> str:
        ends = f"{self.before.ends.get(name)} became {self.after.ends.get(name)}"
        return f"{ends}\n{self.after.tracebacks.get(name, '')}"


@functools.cache
def compared(module: Module, mode: str) -> Comparison:
    """Run the tests of a module as it is and converted, `idle` or `forced`."""
    return Comparison(module, mode, _run(module, "plain"), _run(module, mode))


@functools.cache
def _run(module: Module, mode: str) -> Run:
    if importlib.util.find_spec("test.support") is None:
        raise RuntimeError(
            "this Python has come without its own tests, which judge converted code here: install "
            "its `test` package (some systems keep it apart, as libpython3-testsuite)"
        )
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = (sys.executable, "-m", "tests.real_code.suite", module.name, mode, str(report))
        (Path(folder) / "here").mkdir()
        done = subprocess.run(
            command,
            cwd=Path(folder) / "here",
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_LONGEST,
        )
        if not report.exists():
            output = done.stdout.decode(errors="replace")
            raise RuntimeError(f"the tests of {module.name} did not end ({mode})\n{output}")
        return Run(**json.loads(report.read_text(encoding="utf-8")))


def table(comparisons: Iterable[Comparison]) -> str:
    """Return the comparisons as text, one a line, then the functions that were refused.

    >>> print(table([]))
    module                  mode    functions converted  share   tests    same
    """
    rows = list(comparisons)
    lines = [_HEAD, *(_line(row.module.name, row.mode, [row]) for row in rows)]
    if rows:
        lines.append(_line("all", "", rows))
    refused = {name: why for row in rows for name, why in row.after.refused.items()}
    return "\n".join([*lines, *(f"refused: {name}: {why}" for name, why in refused.items())])


_HEAD = "module                  mode    functions converted  share   tests    same"


def _line(name: str, mode: str, rows: list[Comparison]) -> str:
    functions = sum(row.functions for row in rows)
    converted = sum(len(row.after.converted) for row in rows)
    tests = sum(len(row.before.ends) for row in rows)
    same = tests - sum(len(row.differences) for row in rows)
    share = f"{converted / max(1, functions):.1%}"
    return f"{name:<23} {mode:<7} {functions:9} {converted:9} {share:>6} {tests:7} {same:7}"
