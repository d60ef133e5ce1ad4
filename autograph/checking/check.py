"""`ag.check`: run a function plain, converted and staged, and say where they part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph.checking.case import Case, cases_of
from autograph.checking.execution_modes import EAGER, REUSED, STAGED, Ways
from autograph.checking.first_difference import Parting, first_parting, plain_steps
from autograph.checking.outcome import Outcome, outcome_differences
from autograph.checking.report import Checked, CheckReport
from autograph.conversion.rules import name_of
from runtime.core.context import recording


def check(function: Any, cases: Iterable[Any], raises: bool = False) -> CheckReport:
    """Run a function every way there is, and compare.

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
    ways = Ways(function)
    made = cases_of(ways.plain, cases)
    name = name_of(ways.plain).strip("`")
    with recording(None):
        checked = tuple(_checked(ways, number, case) for number, case in enumerate(made, 1))
    report = CheckReport(name, checked)
    if raises:
        report.raise_if_failed()
    return report


def _checked(ways: Ways, number: int, case: Case) -> Checked:
    outcomes = ways.outcomes(case)
    found: dict[str, tuple[str, ...]] = {}
    for way, outcome in outcomes.items():
        differences = outcome_differences(outcomes[EAGER], outcome, way in (STAGED, REUSED))
        if way != EAGER and differences:
            found[way] = differences
    if STAGED in found:
        found.pop(REUSED, None)  # It says the same once more.
    return Checked(number, case, outcomes, found, _partings(ways, case, outcomes, found))


def _partings(
    ways: Ways, case: Case, outcomes: dict[str, Outcome], found: dict[str, tuple[str, ...]]
) -> dict[str, Parting]:
    if not found:
        return {}
    plain = plain_steps(ways, case)
    partings = {
        way: first_parting(ways, way, case, outcomes, differences, plain)
        for way, differences in found.items()
        if way != REUSED  # What it traced was for another case.
    }
    return {way: parting for way, parting in partings.items() if parting is not None}
