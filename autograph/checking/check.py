"""`ag.check`: runs a function plain, converted and staged, and reports the first difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from autograph.checking.case import Case, cases_of
from autograph.checking.execution_modes import EAGER, REUSED, STAGED, ExecutionModes
from autograph.checking.first_difference import (
    FirstDifference,
    find_first_difference,
    record_plain_steps,
)
from autograph.checking.outcome import CallOutcome, outcome_differences
from autograph.conversion.rules import name_of
from autograph.errors import CheckFailed
from runtime.core.context import recording
from runtime.core.lazy_imports import lazy_import

MODES = ("eager", "converted", "forced", "staged")


@dataclass(frozen=True)
class CaseResult:
    """One case, run in every mode.

    Attributes:
        number: the number of the case, from 1.
        case: the arguments.
        outcomes: the outcome of each mode: `eager`, `converted`, `staged`, `reused` (staged, by a
            Function that has run the cases before), and `forced` (converted, while a graph
            records) if no tensor is involved.
        differences: the differences from `eager`, for each mode that has some.
        first_differences: for these modes the first statement that differs, if it was found.
    """

    number: int
    case: Case
    outcomes: Mapping[str, CallOutcome]
    differences: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    first_differences: Mapping[str, FirstDifference] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        return "\n".join(self._text())

    def _text(self) -> Iterator[str]:
        for mode, found in self.differences.items():
            after = ", after the cases before it," if mode == "reused" else ""
            yield f"case {self.number} {self.case}: {mode}{after} differs from eager"
            yield from (f"  {each}" for each in found)
            first = self.first_differences.get(mode)
            if first is not None:
                yield f"  first at {first}"
                if first.variable is not None:
                    yield f"    {first.source}"


@dataclass(frozen=True, repr=False)
class CheckReport:
    """The report of a check, which is true if all agree; `print` shows it as a table.

    Attributes:
        name: the name of the function.
        cases: the cases, with their outcomes.
    """

    name: str
    cases: tuple[CaseResult, ...]

    @property
    def failures(self) -> tuple[CaseResult, ...]:
        """The cases in which a mode differs from `eager`."""
        return tuple(each for each in self.cases if not each)

    def raise_if_failed(self) -> None:
        """Raise an error with this report if something differs.

        Raises:
            CheckFailed: something differs; it is an AssertionError.
        """
        if not self:
            raise CheckFailed(str(self))

    def __bool__(self) -> bool:
        return not self.failures

    @property
    def summary(self) -> str:
        """The number of cases that agree."""
        good, count = len(self.cases) - len(self.failures), len(self.cases)
        return f"{good} of {count} {'case agrees' if count == 1 else 'cases agree'}"

    @property
    def modes(self) -> tuple[str, ...]:
        """The modes that the table shows."""
        is_reused = any("reused" in each.differences for each in self.cases)
        return (*MODES, "reused") if is_reused else MODES

    def rows(self) -> list[tuple[str, ...]]:
        """Return the outcomes of each case: the arguments, and a text for each of `modes`."""
        return [_row(each, self.modes) for each in self.cases]

    def __str__(self) -> str:
        return "\n".join(self._text())

    __repr__ = __str__
    _repr_html_ = lazy_import("autograph.display.reports:check_html")

    def _text(self) -> Iterator[str]:
        yield f"{self.name}: {self.summary}"
        yield ""
        yield from _table([("case", *self.modes), *self.rows()])
        for failure in self.failures:
            yield from ("", str(failure))


def _row(result: CaseResult, modes: tuple[str, ...]) -> tuple[str, ...]:
    cells = [str(result.case)]
    for mode in modes:
        outcome = result.outcomes.get(mode)
        if outcome is None:
            cells.append("-")
        elif mode == "eager" or mode in result.differences:
            cells.append(str(outcome))
        else:
            cells.append("same")
    return tuple(cells)


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip()


# -- `ag.check` ------------------------------------------------------------------------------------


def check(
    function: Callable[..., object], cases: Iterable[object], raises: bool = False
) -> CheckReport:
    """Run a function in every mode, and compare the outcomes.

    Each case is run up to five times on copies of its arguments: plain, converted, converted
    while an empty graph records (if no tensor is involved), as a graph, and by a Function that has
    run the cases before it and may use their traces. These are compared: the structure of the
    results, their dtypes and numbers (floating numbers with the tolerances of
    `autograph.checking.differences`), the output, the class and message of an exception, and
    changes of arguments, globals, variables of enclosing functions, and attributes. The changes are
    undone after each run. If two runs differ, both are repeated and followed line by line, and the
    report has the first statement after which a variable differs.

    Args:
        function: a function, method, callable object or Function.
        cases: argument tuples, dicts of arguments by name, or `Case(args, kwargs)`. Python numbers
            stay Python numbers; give tensors for values that are symbolic in a trace.
        raises: whether to raise CheckFailed, an AssertionError, if something differs.

    Returns:
        A report that is true if all agree; its `failures` are the cases that do not.

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
    modes = ExecutionModes(function)
    made = cases_of(modes.plain, cases)
    name = name_of(modes.plain).strip("`")
    with recording(None):
        results = tuple(_checked(modes, number, case) for number, case in enumerate(made, 1))
    report = CheckReport(name, results)
    if raises:
        report.raise_if_failed()
    return report


def _checked(modes: ExecutionModes, number: int, case: Case) -> CaseResult:
    outcomes = modes.outcomes(case)
    found: dict[str, tuple[str, ...]] = {}
    for mode, outcome in outcomes.items():
        differences = outcome_differences(outcomes[EAGER], outcome, mode in (STAGED, REUSED))
        if mode != EAGER and differences:
            found[mode] = differences
    if STAGED in found:
        found.pop(REUSED, None)  # It has the same differences.
    return CaseResult(
        number, case, outcomes, found, _first_differences(modes, case, outcomes, found)
    )


def _first_differences(
    modes: ExecutionModes,
    case: Case,
    outcomes: dict[str, CallOutcome],
    found: dict[str, tuple[str, ...]],
) -> dict[str, FirstDifference]:
    if not found:
        return {}
    plain = record_plain_steps(modes, case)
    first_differences = {
        mode: find_first_difference(modes, mode, case, outcomes, differences, plain)
        for mode, differences in found.items()
        if mode != REUSED  # Its trace may be that of another case.
    }
    return {mode: first for mode, first in first_differences.items() if first is not None}
