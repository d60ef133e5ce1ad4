"""What importing, converting, tracing and calling cost, and what converted code does, as tables.

    python tools/bench                  # everything
    python tools/bench calls depth      # two of the tables
    python tools/bench --quick          # fewer rounds

One process on a shared machine says little about microseconds: compare ratios, not figures. Those
that have a bar to keep are held to it: the exit code is 1 if one is missed. Where TensorFlow is
installed, the same is measured with its conversion.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.bench import call_path, conversions, depth, library_calls, measures, programs
from tools.bench.lines import Line

# Takes whether to be quick.
Table = Callable[[bool], Iterator[Line]]

TABLES: dict[str, Table] = {
    "staging": lambda quick: measures.lines(measures.QUICK if quick else measures.FULL),
    "corpus": lambda quick: programs.lines(programs.QUICK if quick else programs.FULL),
    "call_path": lambda quick: call_path.lines(*((500, 5) if quick else (2000, 15))),
    "calls": lambda quick: library_calls.lines(*((20, 5) if quick else (50, 15))),
    "conversion": lambda quick: conversions.lines(*((20, 1000) if quick else (100, 10_000))),
    "depth": lambda quick: depth.lines(),
}


def main(arguments: list[str] | None = None) -> int:
    """Print the tables line by line, as they are measured; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure this checkout.")
    parser.add_argument("tables", nargs="*", help=f"of {', '.join(TABLES)}; all by default")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.tables if name not in TABLES]
    if unknown:
        parser.error(f"there is no table {', '.join(unknown)}; choose from {', '.join(TABLES)}")
    print(f"Python {platform.python_version()}, {platform.machine()}")
    missed: list[str] = []
    for name in options.tables or TABLES:
        print()
        for line in TABLES[name](options.quick):
            print(line, flush=True)
            missed += line.missed
    print("\nbars missed: " + "; ".join(missed) if missed else "\nevery bar is kept")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
