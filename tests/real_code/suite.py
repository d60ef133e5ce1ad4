"""Runs CPython's own tests of a module in this interpreter and writes down how each one ended.

    python -m tests.real_code.suite textwrap forced report.json

The modes are `plain` (nothing is converted), `idle` (converted, and no trace is open) and `forced`
(converted, and all of it runs while a graph records, so that the converted halves run).
"""

from __future__ import annotations

import contextlib
import importlib
import json
import pkgutil
import sys
import unittest
from pathlib import Path
from typing import Any

from test import support

import autograph.backends
import autograph.operators
import runtime
from runtime.graph.graph import Graph
from tests.real_code.conversion import Tally, convert_in_place
from tests.real_code.modules import MODULES, Module

# These parts of the runtime import packages that a machine may lack.
_NOT_USED = ("runtime.export", "runtime.nn.datasets")


class Outcomes(unittest.TestResult):
    """How every test ended, and every part of one that went wrong.

    Attributes:
        ends: the ends by the name of the test; more than one if parts of it went wrong.
        tracebacks: what to show a reader, by the name of the test.
    """

    def __init__(self) -> None:
        super().__init__()
        self.ends: dict[str, list[str]] = {}
        self.tracebacks: dict[str, str] = {}

    def addSuccess(self, test: Any) -> None:
        self._note(test, "passed")

    def addSkip(self, test: Any, reason: str) -> None:
        self._note(test, f"skipped: {reason}")

    def addFailure(self, test: Any, err: Any) -> None:
        self._note_wrong(test, err)

    def addError(self, test: Any, err: Any) -> None:
        self._note_wrong(test, err)

    def addExpectedFailure(self, test: Any, err: Any) -> None:
        self._note(test, f"failed as expected: {err[0].__name__}")

    def addUnexpectedSuccess(self, test: Any) -> None:
        self._note(test, "passed unexpectedly")

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        if err is not None:
            self._note_wrong(subtest, err)

    def _note_wrong(self, test: Any, err: Any) -> None:
        self._note(test, f"failed: {err[0].__name__}")
        self.tracebacks[test.id()] = self._exc_info_to_string(err, test)  # type: ignore[attr-defined]

    def _note(self, test: Any, end: str) -> None:
        self.ends.setdefault(test.id(), []).append(end)


def main(name: str, mode: str, report: str) -> None:
    """Run the tests of the module `name` in one of the modes and write `report`, a JSON file."""
    module, graph = next(each for each in MODULES if each.name == name), Graph("probe")
    suite, outcomes, tally = _load(module), Outcomes(), Tally()
    with contextlib.ExitStack() as stack:
        if mode != "plain":
            _import_all()
            tally = convert_in_place(module.files())
        if mode == "forced":
            stack.enter_context(graph.recording())
        suite.run(outcomes)
    written = {
        "ends": outcomes.ends,
        "tracebacks": outcomes.tracebacks,
        "converted": sorted(tally.converted),
        "refused": tally.refused,
        "recorded": [f"{node.op.name} at {node.origin}" for node in graph.nodes],
    }
    Path(report).write_text(json.dumps(written), encoding="utf-8")


def _import_all() -> None:
    """Import the modules converted code imports on first use: they use the standard library."""
    for package in (autograph.backends, autograph.operators, runtime):
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not each.name.startswith(_NOT_USED):
                importlib.import_module(each.name)


def _load(module: Module) -> unittest.TestSuite:
    support.use_resources = ()  # nothing that needs a network or takes hours
    loader = unittest.defaultTestLoader
    suites = [importlib.import_module(name) for name in module.suites]
    return unittest.TestSuite(loader.loadTestsFromModule(suite) for suite in suites)


if __name__ == "__main__":
    main(*sys.argv[1:])
