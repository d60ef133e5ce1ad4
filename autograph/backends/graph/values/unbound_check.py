"""The check recorded at a read of a variable that is bound on some paths only."""

from __future__ import annotations

import sys

from autograph.backends.graph.values.branch_facts import is_known_true, learn
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import free_message, unbound_message
from autograph.operators.frames import frames_of_call, user_frames
from runtime.core.context import current_recorder
from runtime.ops.effects.io import check


def guard(variable: PossiblyUnbound) -> None:
    """Record a read of `variable`, with a check that raises at run time if it has no value."""
    if is_known_true(variable.defined):
        return
    error, argument = variable.missing or _unbound(variable.name)
    check(variable.defined, error, argument)
    learn(current_recorder(), variable.defined, True)


def _unbound(name: str) -> tuple[type[Exception], str]:
    """Return the class and message of Python's error for an unbound local or free variable."""
    reader = next(user_frames(sys._getframe(1)), None)
    if reader is not None and name in frames_of_call(reader[1])[-1].f_code.co_freevars:
        return NameError, free_message(name)
    return UnboundLocalError, unbound_message(name)
