"""What importing, converting, tracing and calling cost, as a table.

    python tools/bench            # medians of nine rounds
    python tools/bench --quick    # of three, with fewer calls

One process on a shared machine says little about microseconds: compare ratios, not figures.
"""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.bench import clock, measures


def line(row: measures.Row) -> str:
    """One row as text; the last column is the ratio to what it is compared with."""
    ratio = f"{row.seconds / row.against:8.1f} x" if row.against else ""
    return f"{row.name:<42} {clock.readable(row.seconds):>10} {ratio}".rstrip()


def main(arguments: list[str] | None = None) -> int:
    """Print the table row by row, as it is measured."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure this checkout.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    options = parser.parse_args(arguments)
    print(f"Python {platform.python_version()}, {platform.machine()}")
    for row in measures.rows(measures.QUICK if options.quick else measures.FULL):
        print(line(row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
