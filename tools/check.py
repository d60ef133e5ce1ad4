"""One command that runs the same checks as the continuous integration.

    python tools/check.py          # format, lint, layers, types, tests
    python tools/check.py --fast   # the same with unit tests and the house law only
    python tools/check.py --all    # and every supported Python found here, the long tests, the
                                   # site, the files to publish, and exports that run in fresh
                                   # environments

Every step prints one line with its seconds; a step that fails prints its output below that line
and the others still run. The last line counts the tests.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import interpreters

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("autograph", "runtime", "tools", "tests")
TYPED = ("autograph", "runtime", "tools")
UNIT_TESTS = ("tests/autograph", "tests/runtime", "tests/laws/test_house.py")


@dataclass(frozen=True)
class Step:
    """One command; it passes when it exits with zero."""

    name: str
    command: tuple[str, ...]
    is_long: bool = False


@dataclass(frozen=True)
class Report:
    """The outcome of one step."""

    step: Step
    code: int
    seconds: float
    output: str

    @property
    def summary(self) -> str:
        """The last line of a step's output that is not empty."""
        lines = [line.strip("= ") for line in self.output.splitlines() if line.strip("= ")]
        return lines[-1] if lines else ""


def module(*words: str, python: str = sys.executable) -> tuple[str, ...]:
    """The command that runs a module of an interpreter."""
    return (python, "-m", *words)


CHECKS = (
    Step("format", module("ruff", "format", "--check", "--quiet", *SOURCES)),
    Step("lint", module("ruff", "check", "--quiet", *SOURCES)),
    Step("layers", (sys.executable, "tools/layers.py")),
    Step("types", module("mypy", *TYPED)),
)
TESTS = Step("tests", module("pytest", "-q"))
FAST_TESTS = Step("tests", module("pytest", "-q", *UNIT_TESTS))
ELSEWHERE = Step("elsewhere", (sys.executable, "tools/exports_elsewhere.py"))
LONG_TESTS = Step("long tests", module("pytest", "-q"), is_long=True)


def run(step: Step) -> Report:
    """Run one step from the root of the project and print its line."""
    variables = {**os.environ, **({"AUTOGRAPH_LONG_TESTS": "1"} if step.is_long else {})}
    began = time.perf_counter()
    done = subprocess.run(
        step.command,
        cwd=ROOT,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    report = Report(step, done.returncode, time.perf_counter() - began, done.stdout)
    _print(report)
    return report


def _print(report: Report) -> None:
    state = "ok" if report.code == 0 else "FAILED"
    print(f"{report.step.name:<10} {state:<7} {report.seconds:6.1f} s", flush=True)
    if report.code:
        print(report.output.rstrip(), flush=True)


def steps_of(options: argparse.Namespace, folder: Path) -> Iterator[Step]:
    """Return the steps for the command line, in order; the tests come last."""
    yield from CHECKS
    if options.fast:
        yield FAST_TESTS
        return
    if options.all:
        yield LONG_TESTS
        yield ELSEWHERE
        python = interpreters.environment(sys.executable, folder / "site", "-e", f"{ROOT}[docs]")
        yield Step("site", (str(python), "tools/docs.py", "--fresh"))
        python = interpreters.environment(sys.executable, folder / "package", "build", "twine")
        yield Step("package", (str(python), "tools/package.py"))
        yield from _other_pythons(options.python, folder)
    yield TESTS


def _other_pythons(extra: list[str], folder: Path) -> Iterator[Step]:
    found = interpreters.found(extra)
    for version in interpreters.SUPPORTED:
        if version not in found:
            print(f"{'py' + version:<10} absent", flush=True)
            continue
        python = interpreters.environment(
            found[version], folder / version, "-e", f"{ROOT}[test,types]"
        )
        yield Step(f"py{version}", module("pytest", "-q", python=str(python)))


def main(arguments: list[str] | None = None) -> int:
    """Run the steps; the exit code is the number of failed ones."""
    parser = argparse.ArgumentParser(prog="check", description="Check the whole project.")
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--fast", action="store_true", help="unit tests and the house law only")
    scope.add_argument(
        "--all", action="store_true", help="every Python found, the long tests, the site"
    )
    parser.add_argument("--python", action="append", default=[], help="an interpreter for --all")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        reports = [run(step) for step in steps_of(options, Path(folder))]
    failed = [report.step.name for report in reports if report.code]
    print("failed: " + ", ".join(failed) if failed else "all steps passed")
    print(reports[-1].summary)
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
