"""Functions compiled from text, and the comparison of their original and converted behaviour."""

from __future__ import annotations

import copy
import itertools
import linecache
from collections.abc import Callable
from typing import Any

import autograph as ag
from runtime.graph.graph import Graph
from tests.parity.agreement import Outcome, error_difference, outcome_of, spelled

_numbers = itertools.count()


def compiled_function(text: str, name: str = "f", **names: Any) -> Any:
    """Return the object that `text` binds to `name`, run as a module whose source can be found."""
    filename = f"<hostile {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = {"__name__": "hostile", **names}
    exec(compile(text, filename, "exec", dont_inherit=True), namespace)
    return namespace[name]


def forced(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls `function` while something records, as a trace does.

    Converted code then runs its converted half.
    """

    def call(*arguments: Any) -> Any:
        with Graph("recording").recording():
            return function(*arguments)

    return call


def assert_same(text: str, *cases: tuple[Any, ...], name: str = "f") -> None:
    """Assert that the function `name` of `text` does the same as it is and converted, both ways.

    Each way has a module of its own, in which it goes through all cases; what it appends to the
    module's `log` is compared as well.
    """
    cases = cases or ((),)
    expected = _runs(text, name, cases, lambda function: function)
    for prepare in (ag.to_graph, lambda function: forced(ag.to_graph(function))):
        for wanted, given in zip(expected, _runs(text, name, cases, prepare)):
            assert _difference(wanted, given) is None


def _runs(
    text: str, name: str, cases: tuple[tuple[Any, ...], ...], prepare: Callable[[Any], Any]
) -> list[tuple[Outcome, Any]]:
    log: list[Any] = []
    function = prepare(compiled_function(text, name, log=log))
    outcomes = [outcome_of(function, list(case)) for case in copy.deepcopy(cases)]
    return [(outcome, log) for outcome in outcomes]


def _difference(expected: tuple[Outcome, Any], actual: tuple[Outcome, Any]) -> str | None:
    (wanted, wanted_log), (given, given_log) = expected, actual
    different = error_difference(wanted.error, given.error)
    if different is not None:
        return different
    seen = (wanted.result, wanted.printed, wanted.arguments, wanted_log)
    for one, other in zip(seen, (given.result, given.printed, given.arguments, given_log)):
        if spelled(one) != spelled(other):
            return f"{other!r} instead of {one!r}"
    return None
