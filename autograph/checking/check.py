"""`ag.check`: runs a function plain, converted and staged, and reports the first difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograph.checking.case import Case, cases_of
from autograph.checking.execution_modes import EAGER, REUSED, STAGED, ExecutionModes
from autograph.checking.first_difference import FirstDifference, find_first_difference, plain_steps
from autograph.checking.outcome import Outcome, outcome_differences
from autograph.conversion.rules import name_of
from runtime.core.context import recording

WAYS = ("eager", "converted", "forced", "staged")


class CheckFailed(AssertionError):
    """The ways to run a function differ; the message is the report."""


@dataclass(frozen=True)
class Checked:
    """One case, run in every way.

    Attributes:
        number: the number of the case, from 1.
        case: the arguments.
        outcomes: the outcome of each way: `eager`, `converted`, `staged`, `reused` (staged, by the
            Function that has run the cases before), and `forced` (converted, while a graph
            records) if no tensor is involved.
        differences: for each way that differs from `eager`, the differences in words.
        partings: the first statement that differs, if it was found.
    """

    number: int
    case: Case
    outcomes: Mapping[str, Outcome]
    differences: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    partings: Mapping[str, FirstDifference] = field(default_factory=dict)

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
    """The report of a check; true when all agree. `print` shows a table, then every difference.

    Attributes:
        name: the name of the function.
        cases: all the cases.
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


# -- `ag.check` ------------------------------------------------------------------------------------


def check(function: Any, cases: Iterable[Any], raises: bool = False) -> CheckReport:
    """Run a function in every way, and compare the outcomes.

    Each case is run five times on copies of its arguments: as plain Python, converted, converted
    while an empty graph records (if no tensor is involved), as a graph, and as a graph of one
    Function that has run the cases before it and may use their traces. Compared are the
    structure of the results, their dtypes and numbers (floating numbers with the tolerances of
    `autograph.checking.differences`), what is printed, the class and message of an exception, and
    what is changed: arguments, globals, variables of functions further out, attributes. What a run
    changes is put back after it. Where two runs differ they are made once more, followed line by
    line, and the report names the first statement after which a variable is not the same.

    Args:
        function: a function, method, callable object or Function.
        cases: argument tuples, dicts of arguments by name, or `Case(args, kwargs)`. Python numbers
            stay Python numbers: give tensors for what is to be unknown while tracing.
        raises: whether to raise CheckFailed, an AssertionError, when something differs.

    Returns:
        A report that is true when all agree; `failures` are the cases that do not.

    Raises:
        SignatureError: `function` cannot be called, or does not take the arguments of a case.
        CheckFailed: with `raises`, something differs.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> def relu(x):
        ...     return x if x > 0 else 0 * x
        >>> bool(ag.check(relu, [(rt.constant(3),), (rt.constant(-3),), (2,)]))
        True
    """
    ways = ExecutionModes(function)
    made = cases_of(ways.plain, cases)
    name = name_of(ways.plain).strip("`")
    with recording(None):
        checked = tuple(_checked(ways, number, case) for number, case in enumerate(made, 1))
    report = CheckReport(name, checked)
    if raises:
        report.raise_if_failed()
    return report


def _checked(ways: ExecutionModes, number: int, case: Case) -> Checked:
    outcomes = ways.outcomes(case)
    found: dict[str, tuple[str, ...]] = {}
    for way, outcome in outcomes.items():
        differences = outcome_differences(outcomes[EAGER], outcome, way in (STAGED, REUSED))
        if way != EAGER and differences:
            found[way] = differences
    if STAGED in found:
        found.pop(REUSED, None)  # It has the same differences.
    return Checked(number, case, outcomes, found, _partings(ways, case, outcomes, found))


def _partings(
    ways: ExecutionModes,
    case: Case,
    outcomes: dict[str, Outcome],
    found: dict[str, tuple[str, ...]],
) -> dict[str, FirstDifference]:
    if not found:
        return {}
    plain = plain_steps(ways, case)
    partings = {
        way: find_first_difference(ways, way, case, outcomes, differences, plain)
        for way, differences in found.items()
        if way != REUSED  # What it traced was for another case.
    }
    return {way: parting for way, parting in partings.items() if parting is not None}
