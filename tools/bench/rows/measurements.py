"""The measurements: rounds of each row in each mode, medians, and their ratios."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

# Rows that are no calls: seconds, bytes.
IMPORT_TIME, FIRST_RESULT, IMPORT_RSS = "import_time", "first_result", "import_rss"
DISK = "disk"
WEIGHTS = (IMPORT_TIME, FIRST_RESULT, IMPORT_RSS, DISK)
# Rows whose calls build the graph anew.
COLD = ("compile_500", "nested_10")
# Rows that vary another row: they do not count twice in a mean.
BESIDE = ("newton_64",)


@dataclass
class Figure:
    """One row in one mode.

    Attributes:
        rounds: the result of each round: CPU seconds of a call, or bytes.
        wall: the same in wall time.
        error: the reason if there are none.
    """

    rounds: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    error: str | None = None

    @property
    def median(self) -> float | None:
        """The median of the rounds, or None."""
        return statistics.median(self.rounds) if self.rounds else None


@dataclass
class Figures:
    """Everything one run measured.

    Attributes:
        rows: figures by row, then by mode.
    """

    rows: dict[str, dict[str, Figure]] = field(default_factory=dict)

    def median(self, row: str, mode: str) -> float | None:
        """Return the median of a row in a mode, or None if it was not measured."""
        figure = self.rows.get(row, {}).get(mode)
        return None if figure is None else figure.median

    def ratio(self, row: str, mode: str, other: str) -> float | None:
        """Return the time of a row in `mode` relative to `other`."""
        one, two = self.median(row, mode), self.median(row, other)
        return one / two if one is not None and two else None

    def modes(self) -> list[str]:
        """Return all modes that measured anything, in the order they came in."""
        found = (mode for row in self.rows.values() for mode in row if row[mode].rounds)
        return list(dict.fromkeys(found))

    def mean_ratio(self, mode: str, other: str) -> float | None:
        """Return the geometric mean of the ratios of the rows that run a graph, in both modes."""
        return geometric_mean(
            ratio
            for row in self.rows
            if row not in (*WEIGHTS, *COLD, *BESIDE)
            and (ratio := self.ratio(row, mode, other)) is not None
        )

    def as_json(self) -> dict[str, Any]:
        """Return all figures as JSON data."""
        return {
            row: {
                mode: {
                    "median": figure.median,
                    "rounds": figure.rounds,
                    "wall": figure.wall,
                    "error": figure.error,
                }
                for mode, figure in modes.items()
            }
            for row, modes in self.rows.items()
        }


def geometric_mean(values: Iterable[float]) -> float | None:
    """Return the geometric mean, None of nothing.

    >>> geometric_mean([1.0, 4.0]), geometric_mean([])
    (2.0, None)
    """
    logs = [math.log(value) for value in values]
    return math.exp(statistics.fmean(logs)) if logs else None
