"""The cost of importing, converting, tracing and calling, and the speed of converted code.

    python tools/bench                  # everything
    python tools/bench calls depth      # two of the tables
    python tools/bench --quick          # fewer rounds, and part of the corpus
    python tools/bench speed --peers    # graphs against TensorFlow, JAX, PyTorch and Numba

One process on a shared machine measures microseconds poorly: compare ratios, not figures. Figures
with a bar are checked: the exit code is 1 if one is missed. Where TensorFlow is installed, its
conversion is measured too.

Separate processes measure the table `speed`, one per library, in turns on one core. Libraries may
be installed for other interpreters: `--peer-python PATH` names one, and may be repeated. The
measurements can be written as JSON, as a page of Markdown, and as a picture.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import importlib.util
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.bench import (
    branches,
    call_path,
    conversions,
    depth,
    engines,
    imports,
    library_calls,
    measures,
    statements,
)
from tools.bench.lines import Line
from tools.bench.rows import report, speed
from tools.bench.rows.worker_processes import PEERS, TalkError

# The argument: whether to be quick.
Table = Callable[[bool], Iterator[Line]]
SPEED, CORPUS = "speed", "corpus"
# Options that only the table `speed` uses.
_OF_SPEED = ("peers", "peer_python", "only", "rows", "rounds", "json", "page", "plot")


def _corpus(quick: bool) -> Iterator[Line]:
    # Its programs need packages that only the tests need.
    programs = importlib.import_module("tools.bench.programs")
    yield from programs.lines(programs.QUICK if quick else programs.FULL)


TABLES: dict[str, Table] = {
    "staging": lambda quick: measures.lines(measures.QUICK if quick else measures.FULL),
    CORPUS: _corpus,
    "call_path": lambda quick: call_path.lines(*((500, 5) if quick else (2000, 15))),
    "calls": lambda quick: library_calls.lines(*((20, 5) if quick else (50, 15))),
    "conversion": lambda quick: conversions.lines(*((20, 1000) if quick else (100, 10_000))),
    "statements": lambda quick: statements.lines(*((100, 10, 2) if quick else (500, 10, 5))),
    "branches": lambda quick: branches.lines(*((300_000, 5) if quick else (1_000_000, 25))),
    "depth": lambda quick: depth.lines(),
    "imports": lambda quick: imports.lines(3 if quick else 15),
    "engines": lambda quick: engines.lines(8 if quick else 40),
    SPEED: lambda quick: speed.lines(speed.Measured(speed.QUICK if quick else speed.Settings())),
}


def main(arguments: list[str] | None = None) -> int:
    """Print the tables line by line, during the measurement.

    Returns:
        1 if a bar is missed, 2 if the requested tables cannot be measured.
    """
    options = _options(arguments)
    measured = speed.Measured(_settings(options))
    tables = dict(TABLES)
    if SPEED in tables:
        tables[SPEED] = lambda quick: speed.lines(measured)
    try:
        if options.plot:
            report.check_plot()
        chosen = {name: tables[name] for name in options.tables or tables}
        if CORPUS in chosen and importlib.util.find_spec("attrs") is None:
            raise report.ReportError(
                "the table corpus needs attrs: pip install 'autograph-py[test]', or name others"
            )
        missed, unmeasured = _print_all(chosen, options.quick)
        _write(options, measured)
    except (TalkError, report.ReportError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    print(f"\n{_summary(missed, unmeasured)}")
    return 1 if missed else 0


def _print_all(tables: dict[str, Table], quick: bool) -> tuple[list[str], list[str]]:
    """Print the tables; return the missed bars, and the bars without a measurement."""
    print(f"Python {platform.python_version()}, {platform.machine()}")
    missed: list[str] = []
    unmeasured: list[str] = []
    for table in tables.values():
        print()
        for line in table(quick):
            print(line, flush=True)
            missed += line.missed
            unmeasured += line.unmeasured
    return missed, unmeasured


def _summary(missed: Sequence[str], unmeasured: Sequence[str]) -> str:
    if not unmeasured:
        return f"bars missed: {'; '.join(missed)}" if missed else "every bar is kept"
    kept = f"bars missed: {'; '.join(missed)}" if missed else "every bar that was measured is kept"
    return f"{kept}\nbars not measured: {'; '.join(unmeasured)}"


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description="Measure this checkout.")
    parser.add_argument("tables", nargs="*", help=f"of {', '.join(TABLES)}; all by default")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    group = parser.add_argument_group("the table speed")
    group.add_argument("--peers", action="store_true", help="measure other libraries too")
    group.add_argument(
        "--peer-python", metavar="PATH", action="append", default=[], help="one that has some"
    )
    group.add_argument("--only", metavar="LIBRARIES", help="of these, with commas between")
    group.add_argument("--rows", metavar="NAMES", help="only these, with commas between")
    group.add_argument("--rounds", type=int, help="how often each has its turn")
    group.add_argument("--json", metavar="FILE", type=Path, help="write the figures as JSON")
    group.add_argument("--page", metavar="FILE", type=Path, help="write them as Markdown")
    group.add_argument("--plot", metavar="FILE", type=Path, help="draw them, as SVG")
    options = parser.parse_args(arguments)
    _known(parser, options.tables, list(TABLES), "there is no table {}")
    given = [f"--{name.replace('_', '-')}" for name in _OF_SPEED if getattr(options, name)]
    if given and options.tables and SPEED not in options.tables:
        parser.error(f"{given[0]} is for the table {SPEED}, which is not asked for: name it, too")
    rows, libraries, peers = options.rows, options.only, list(PEERS.values())
    options.rows = list(speed.ROWS) if rows is None else rows.split(",")
    options.only = tuple(peers if libraries is None else libraries.split(","))
    _known(parser, options.rows, list(speed.ROWS), "there is no row {}")
    _known(parser, options.only, peers, "{} cannot be measured")
    if options.rounds is not None and options.rounds < 1:
        parser.error(f"--rounds must be at least 1, not {options.rounds}")
    _check_files(parser, options)
    return options


def _known(
    parser: argparse.ArgumentParser, names: Sequence[str], known: Sequence[str], words: str
) -> None:
    """Exit with a message if a name is unknown."""
    unknown = ", ".join(name or "''" for name in names if name not in known)
    if unknown:
        parser.error(f"{words.format(unknown)}; choose from {', '.join(known)}")


def _check_files(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """End with a message where a file cannot be written, before minutes are spent on it."""
    for path in (options.json, options.page, options.plot):
        if path is not None and not path.parent.is_dir():
            parser.error(f"there is no folder {path.parent}")
        if path is not None and path.is_dir():
            parser.error(f"{path} is a folder, not a file")


def _settings(options: argparse.Namespace) -> speed.Settings:
    given = speed.QUICK if options.quick else speed.Settings()
    return dataclasses.replace(
        given,
        rounds=options.rounds or given.rounds,
        libraries=options.only,
        peers=options.peers or bool(options.peer_python),
        pythons=tuple(options.peer_python),
        rows=options.rows,
    )


def _write(options: argparse.Namespace, measured: speed.Measured) -> None:
    if options.json:
        report.write_json(options.json, measured)
    if options.page:
        options.page.write_text(report.page(measured), encoding="utf-8")
    if options.plot:
        report.write_plot(options.plot, measured.figures)


if __name__ == "__main__":
    sys.exit(main())
