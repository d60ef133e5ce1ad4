"""The bars for our graphs in the speed table, as data, and the verdict on each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tools.bench.rows.measurements import COLD, DISK, IMPORT_RSS, IMPORT_TIME, WEIGHTS, Figures

# Two figures of one run that differ by less than this cannot be told apart.
NOISE = 0.1
KEPT, TIE, MISSED, UNKNOWN = "kept", "tie", "missed", "not measured"
ONE_OPERATION = ("dispatch_1", "one_op_100")

Measure = Callable[[Figures], float | None]


@dataclass(frozen=True)
class RowBar:
    """A bar: a measure, its unit, and its maximum."""

    what: str
    measure: Measure
    limit: float
    unit: str = ""


@dataclass(frozen=True)
class Verdict:
    """The verdict on a bar.

    Attributes:
        measured: the figure in the unit of the bar; None if there is none.
    """

    bar: RowBar
    measured: float | None

    @property
    def word(self) -> str:
        """Kept, missed, a tie where noise may decide, or not measured."""
        if self.measured is None:
            return UNKNOWN
        if self.measured <= self.bar.limit:
            return KEPT
        return TIE if self.measured <= self.bar.limit * (1 + NOISE) else MISSED

    @property
    def text(self) -> str:
        """The verdict as one line."""
        return f"{self.bar.what}: {self.measured_text}, at most {self.limit_text}: {self.word}"

    @property
    def measured_text(self) -> str:
        """The figure with its unit."""
        return "-" if self.measured is None else f"{self.measured:.3g}{self.bar.unit}"

    @property
    def limit_text(self) -> str:
        """The bar with its unit."""
        return f"{self.bar.limit:g}{self.bar.unit}"


def verdicts(figures: Figures) -> list[Verdict]:
    """Compare the measured figures with every bar."""
    return [Verdict(bar, bar.measure(figures)) for bar in _bars(figures)]


def _bars(figures: Figures) -> Iterator[RowBar]:
    yield from _AGAINST_TENSORFLOW
    calls = [row for row in figures.rows if row not in WEIGHTS]
    if any(figures.ratio(row, "graph", "tf") is not None for row in calls):
        yield from (_over(row, "tf", 1.0) for row in calls if row not in COLD)
    several = [row for row in calls if row not in (*COLD, *ONE_OPERATION)]
    yield from (_over(row, "eager", _EAGER.get(row, 1.0)) for row in several)
    yield from _SINGLE


def _over(row: str, other: str, limit: float) -> RowBar:
    name = "TensorFlow's graph" if other == "tf" else other
    return RowBar(f"{row} over {name}", lambda figures: figures.ratio(row, "graph", other), limit)


def _ratio(row: str, other: str) -> Measure:
    return lambda figures: figures.ratio(row, "graph", other)


def _beyond(row: str, other: str, unit: float) -> Measure:
    def measure(figures: Figures) -> float | None:
        one, two = figures.median(row, "graph"), figures.median(row, other)
        return None if one is None or two is None else (one - two) / unit

    return measure


def _in(row: str, mode: str, unit: float) -> Measure:
    def measure(figures: Figures) -> float | None:
        found = figures.median(row, mode)
        return None if found is None else found / unit

    return measure


# Eager rows that have a bar of their own.
_EAGER = {"power": 0.35, "seq_model": 0.9, "seq_keras": 0.9}

_AGAINST_TENSORFLOW = (
    RowBar(
        "geometric mean over TensorFlow's graph",
        lambda figures: figures.mean_ratio("graph", "tf"),
        0.1,
    ),
)

_SINGLE = (
    RowBar("one_op_100, beyond the NumPy call", _beyond("one_op_100", "plain", 1e-6), 1.5, " us"),
    RowBar("dispatch_1, beyond the NumPy call", _beyond("dispatch_1", "plain", 1e-6), 1.5, " us"),
    RowBar("collatz over Python numbers", _ratio("collatz", "plain"), 1.3),
    RowBar("newton over Python numbers", _ratio("newton", "plain"), 1.3),
    RowBar("newton_64 over Python numbers", _ratio("newton_64", "plain"), 1.3),
    RowBar("chain_1e6 over NumPy", _ratio("chain_1e6", "plain"), 0.6),
    RowBar("dataset_loop over the same steps on arrays", _ratio("dataset_loop", "arrays"), 1.15),
    RowBar("compile_500 over TensorFlow's", _ratio("compile_500", "tf"), 0.1),
    RowBar("nested_10, converted and traced", _in("nested_10", "graph", 1e-3), 50, " ms"),
    RowBar("import beyond the interpreter", _in(IMPORT_TIME, "graph", 1.0), 0.12, " s"),
    RowBar("memory of an import", _in(IMPORT_RSS, "graph", 1e6), 70, " MB"),
    RowBar("installed size with what it needs", _in(DISK, "graph", 1e6), 100, " MB"),
)
