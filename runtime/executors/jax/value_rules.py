"""The table of rules for values that are not one array: lists, variables, statements, errors.

    @core_rule("list_length")
    def _length(run, node, target):        target may be any of `values.pytrees`
        ...

A rule of this table goes before one of `runtime.executors.jax.rules`. `PASS` in place of a result
leaves a node, all operands of which are arrays, to that table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CORE_RULES: dict[str, Callable[..., Any]] = {}

PASS = object()


def core_rule(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that enters a function into the table, as the rule of these ops.

    >>> @core_rule("an_example")
    ... def _example(run, node, value):
    ...     return value
    >>> CORE_RULES.pop("an_example")(None, None, 5)
    5
    """

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            assert name not in CORE_RULES, name
            CORE_RULES[name] = function
        return function

    return enter
