"""The check recorded where a variable is read that is bound on some paths only."""

from __future__ import annotations

from autograph.backends.graph.facts import is_known_true, learn
from autograph.backends.maybe import Maybe
from autograph.backends.undefined import unbound_message
from runtime.context import current_recorder
from runtime.ops.io import check


def guard(variable: Maybe) -> None:
    """Record that `variable` is read: an error when the graph runs and it has no value there."""
    if is_known_true(variable.defined):
        return
    error, argument = variable.missing or (UnboundLocalError, unbound_message(variable.name))
    check(variable.defined, error, argument)
    learn(current_recorder(), variable.defined, True)
