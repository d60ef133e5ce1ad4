"""KeyError for a key that is known when the graph runs."""

from __future__ import annotations

from functools import partial
from typing import Any

import runtime as rt
from autograph.backends.graph.control.conditional import staged_if
from autograph.backends.graph.values.iteration import as_weak
from autograph.operators.state import state_of
from runtime.ops.effects.raising import raise_error

_NO_STATE = state_of(lambda: (), lambda _: None, (), 0)


def check_key(found: rt.Tensor, key: Any) -> None:
    """Raise `KeyError(key)` when the graph runs and the key is not found."""
    held = as_weak(rt.identity(key)) if rt.convert_to_tensor(key).shape.rank == 0 else key
    missing = KeyError(held)
    staged_if(rt.logical_not(found), partial(raise_error, missing), _do_nothing, _NO_STATE)


def _do_nothing() -> None:
    return None
