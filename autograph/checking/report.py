"""What a check found: case by case, way by way, and where the ways part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from autograph.checking.case import Case
from autograph.checking.first_difference import Parting
from autograph.checking.outcome import Outcome

WAYS = ("eager", "converted", "forced", "staged")


class CheckFailed(AssertionError):
    """The ways to run a function do not agree; the message is the report."""


@dataclass(frozen=True)
class Checked:
    """One case, run every way.

    Attributes:
        number: of the case, from 1.
        case: the arguments.
        outcomes: what came of each way: `eager`, `converted`, `staged`, `reused` (staged, by the
            Function that has run the cases before), and `forced` (converted, while a graph
            records) where all is Python.
        differences: for each way that differs from `eager`, how, in words.
        partings: the first statement where it does, where that can be told.
    """

    number: int
    case: Case
    outcomes: Mapping[str, Outcome]
    differences: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    partings: Mapping[str, Parting] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        return "\n".join(self._text())

    def _text(self) -> Iterator[str]:
        for way, found in self.differences.items():
            after = ", after the cases before it," if way == "reused" else ""
            yield f"case {self.number} {self.case}: {way}{after} differs from eager"
            yield from (f"  {each}" for each in found)
            parting = self.partings.get(way)
            if parting is not None:
                yield f"  first at {parting}"
                if parting.variable is not None:
                    yield f"    {parting.source}"


@dataclass(frozen=True)
class CheckReport:
    """What a check found; true when all agree. `print` shows a table, then every difference.

    Attributes:
        name: the function's.
        cases: every case.
    """

    name: str
    cases: tuple[Checked, ...]

    @property
    def failures(self) -> tuple[Checked, ...]:
        """The cases in which a way differs."""
        return tuple(each for each in self.cases if not each)

    def raise_if_failed(self) -> None:
        """Raise CheckFailed, an AssertionError with this report, unless all agree."""
        if not self:
            raise CheckFailed(str(self))

    def __bool__(self) -> bool:
        return not self.failures

    def __str__(self) -> str:
        return "\n".join(self._text())

    def _text(self) -> Iterator[str]:
        good, count = len(self.cases) - len(self.failures), len(self.cases)
        yield f"{self.name}: {good} of {count} {'case agrees' if count == 1 else 'cases agree'}"
        yield ""
        is_reused = any("reused" in each.differences for each in self.cases)
        shown = (*WAYS, "reused") if is_reused else WAYS
        yield from _table([("case", *shown), *(_row(each, shown) for each in self.cases)])
        for failure in self.failures:
            yield from ("", str(failure))


def _row(checked: Checked, ways: tuple[str, ...]) -> tuple[str, ...]:
    cells = [str(checked.case)]
    for way in ways:
        outcome = checked.outcomes.get(way)
        if outcome is None:
            cells.append("-")
        elif way == "eager" or way in checked.differences:
            cells.append(str(outcome))
        else:
            cells.append("same")
    return tuple(cells)


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip()
