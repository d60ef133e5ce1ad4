"""Finds the first statement at which two runs differ."""

from __future__ import annotations

import linecache
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.backends.graph.tracing.trace_exceptions import is_interrupt
from autograph.checking.case import Case
from autograph.checking.differences import difference
from autograph.checking.execution_modes import CONVERTED, EAGER, FORCED, STAGED, ExecutionModes
from autograph.checking.heap_snapshot import HeapSnapshot
from autograph.checking.line_steps import Bindings, LineSteps, VariableChange, with_probes
from autograph.checking.outcome import CallOutcome, captured_output, is_about_output
from autograph.checking.value_snapshot import ValueSnapshot
from autograph.errors import AutographError
from autograph.functions.arguments.signature import CallSignature
from autograph.functions.arguments.trace_key import key_of
from autograph.insight.line_follower import FollowedDefinition, following
from runtime.core.context import is_internal_frame, recording
from runtime.errors import OpError
from runtime.executors.interpreter import run as run_graph
from runtime.graph.graph import Graph

Variable = tuple[FollowedDefinition, str]


@dataclass(frozen=True)
class FirstDifference:
    """The first difference of two runs.

    Attributes:
        line: the statement's line.
        function: the function around it.
        filename: its file.
        variable: the variable that differs after it; None if only the result or an error differs.
        expected: the text of its value in the plain run; empty if it has none.
        actual: the text of its value in the other run; empty if it has none.
    """

    line: int
    function: str
    filename: str
    variable: str | None = None
    expected: str = ""
    actual: str = ""

    @property
    def source(self) -> str:
        """The text of the line."""
        return linecache.getline(self.filename, self.line).strip()

    def __str__(self) -> str:
        place = f"line {self.line} of {self.function}"
        if self.variable is None:
            return f"{place}: {self.source}"
        if not self.actual:
            return f"{place}: {self.variable} does not become {self.expected}, as in Python"
        wanted = f"instead of {self.expected}" if self.expected else "which in Python it does not"
        verb = "is" if self.expected else "becomes"
        return f"{place}: {self.variable} {verb} {self.actual} {wanted}"


def find_first_difference(
    modes: ExecutionModes,
    mode: str,
    case: Case,
    outcomes: Mapping[str, CallOutcome],
    differences: Sequence[str],
    plain: LineSteps,
) -> FirstDifference | None:
    """Return the first difference of a mode from plain Python; None if it is not found.

    Args:
        modes: the function.
        mode: `converted`, `forced` or `staged`.
        case: the arguments.
        outcomes: the outcome of each mode.
        differences: the texts of the differences of the two outcomes.
        plain: the changes in the plain run.
    """
    expected, actual = outcomes[EAGER], outcomes[mode]
    if all(map(is_about_output, differences)):
        return _first_print(expected.printed[0], actual.printed[0], plain)
    changes, excluded = _changes_of(modes, mode, case)
    both = expected.error is None and actual.error is None
    found = _first_change(plain.changes, changes, excluded, both) if changes is not None else None
    if found is not None:
        return found
    if not both:
        return _place_of(actual.error) or _place_of(expected.error)
    return _last_line(plain)


def _first_print(expected: str, actual: str, plain: LineSteps) -> FirstDifference | None:
    """Return the line of the first output that only the plain run printed."""
    same = len(os.path.commonprefix([expected, actual]))
    for end, place, line in plain.printed:
        if end > same:
            return FirstDifference(line, place.name, place.filename)
    return None


def record_plain_steps(modes: ExecutionModes, case: Case) -> LineSteps:
    """Run the plain function again, and return the changes of its variables."""
    steps = LineSteps()
    _follow(steps, lambda fresh: modes.eager(fresh.args, fresh.kwargs), modes, case)
    return steps


# -- the changes of the other mode -----------------------------------------------------------------


def _changes_of(
    modes: ExecutionModes, mode: str, case: Case
) -> tuple[list[VariableChange] | None, set[Variable]]:
    """Return the changes in a run, None if they are unknown, and the variables that it excludes."""
    if mode == STAGED:
        return _staged_changes(modes, case)
    steps = LineSteps()

    def run(fresh: Case) -> Any:
        if mode == FORCED:
            with recording(Graph("check")):
                return modes.converted(fresh.args, fresh.kwargs)
        return modes.converted(fresh.args, fresh.kwargs)

    assert mode in (CONVERTED, FORCED)
    _follow(steps, run, modes, case)
    return steps.changes, set()


def _follow(listener: Any, run: Callable[[Case], Any], modes: ExecutionModes, case: Case) -> None:
    heap, fresh = HeapSnapshot(modes.plain), case.fresh()
    with captured_output():
        try:
            with following(listener, converted_only=isinstance(listener, Bindings)):
                run(fresh)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # The outcome has the error; here the steps before it are recorded.
            if is_interrupt(error):
                raise
        finally:
            heap.restore()


def _staged_changes(
    modes: ExecutionModes, case: Case
) -> tuple[list[VariableChange] | None, set[Variable]]:
    bindings, function = Bindings(), modes.untraced()
    traced: list[Any] = []
    _follow(
        bindings,
        lambda fresh: traced.append(function.get_concrete_function(*fresh.args, **fresh.kwargs)),
        modes,
        case,
    )
    if not traced:
        return None, set()
    heap, fresh = HeapSnapshot(modes.plain), case.fresh()
    changes: list[VariableChange] = []
    with captured_output():
        try:
            graph, probed = with_probes(bindings)
            changes = probed.changes
            run_graph(graph, _arrays(function.python_function, fresh))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # The user's exception, or the graph cannot have probes.
            if is_interrupt(error):
                raise
        finally:
            heap.restore()
    return changes, bindings.excluded


def _arrays(function: Any, case: Case) -> list[Any]:
    """Return the arrays of the tensors among the arguments, in the order of the trace."""
    arrays: list[Any] = []
    signature = CallSignature.of(function, "check")
    for value in signature.bind(case.args, case.kwargs):
        key_of(value, arrays, [])
    return arrays


# -- comparing -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two changes of a variable that differ, and their place in the order of the plain run."""

    order: float
    expected: VariableChange | None
    actual: VariableChange | None


def _first_change(
    plain: Sequence[VariableChange],
    other: Sequence[VariableChange],
    excluded: set[Variable],
    both_end: bool,
) -> FirstDifference | None:
    """Return the first change that differs between the runs.

    The changes of each variable are compared separately, since the order of changes of two
    variables may differ. A change in only one of the runs counts only if both ran to their end.
    """
    places = _places(plain, other)
    known = {change.definition for change in plain} & {change.definition for change in other}
    found: list[_Pair] = []
    of_plain, of_other = _by_variable(plain), _by_variable(other)
    for variable in {**of_plain, **of_other}:
        if variable[0] in known and variable not in excluded:
            pair = of_plain.get(variable, []), of_other.get(variable, [])
            found.extend(_first_of_variable(*pair, places, both_end))
    first = min(found, key=lambda each: each.order, default=None)
    return None if first is None else _as_first_difference(first)


def _by_variable(changes: Sequence[VariableChange]) -> dict[Variable, list[VariableChange]]:
    by_variable: dict[Variable, list[VariableChange]] = {}
    for change in changes:
        by_variable.setdefault((change.definition, change.name), []).append(change)
    return by_variable


def _first_of_variable(
    of_plain: Sequence[VariableChange],
    of_other: Sequence[VariableChange],
    places: Mapping[int, float],
    both_end: bool,
) -> Iterator[_Pair]:
    for expected, actual in zip(of_plain, of_other):
        if _differ(expected.value, actual.value):
            yield _Pair(places[id(expected)], expected, actual)
            return
    if not both_end or len(of_plain) == len(of_other):
        return
    if len(of_plain) > len(of_other):
        extra = of_plain[len(of_other)]
        yield _Pair(places[id(extra)], extra, None)
    else:
        extra = of_other[len(of_plain)]
        yield _Pair(places[id(extra)], None, extra)


def _places(plain: Sequence[VariableChange], other: Sequence[VariableChange]) -> dict[int, float]:
    """Number the changes of both runs in one order; equal changes of the two are at one place."""
    places = {id(change): float(order) for order, change in enumerate(plain)}
    seen: dict[Variable, int] = {}
    of_plain = _by_variable(plain)
    last = -1.0
    for change in other:
        variable = change.definition, change.name
        iteration = seen.get(variable, 0)
        seen[variable] = iteration + 1
        of_variable = of_plain.get(variable, [])
        if iteration < len(of_variable) and not _differ(of_variable[iteration].value, change.value):
            last = places[id(of_variable[iteration])]
        places[id(change)] = last + 0.5
    return places


def _differ(expected: ValueSnapshot, actual: ValueSnapshot) -> bool:
    return difference(expected, actual, staged=True) is not None


def _as_first_difference(found: _Pair) -> FirstDifference:
    change = found.expected or found.actual
    assert change is not None
    # The other run may set the variable later, at the end of an `if`: the plain run's line counts.
    line = found.actual.line if found.actual is not None else change.line
    if found.expected is not None:
        line = found.expected.line
    place = change.definition
    expected = str(found.expected.value) if found.expected is not None else ""
    actual = str(found.actual.value) if found.actual is not None else ""
    return FirstDifference(line, place.name, place.filename, change.name, expected, actual)


def _last_line(plain: LineSteps) -> FirstDifference | None:
    if plain.last is None:
        return None
    place, line = plain.last
    return FirstDifference(line, place.name, place.filename)


def _place_of(error: BaseException | None) -> FirstDifference | None:
    """Return the user's line that raised an error."""
    if error is None:
        return None
    if isinstance(error, (AutographError, OpError)) and error.origin is not None:
        origin: Any = error.origin
        name = getattr(origin, "function", "")
        return FirstDifference(origin.line, name, origin.filename)
    found, entry = None, error.__traceback__
    while entry is not None:
        code = entry.tb_frame.f_code
        if not is_internal_frame(entry.tb_frame) and entry.tb_lineno is not None:
            found = FirstDifference(entry.tb_lineno, code.co_name, code.co_filename)
        entry = entry.tb_next
    return found
