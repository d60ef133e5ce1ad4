"""Functions of the user's that ops are given: what is called in their place where a graph records.

rt.map_fn(f, rows)    ->    f is called with symbolic tensors; a converter may know what it means
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.context import current_recorder

Function = Callable[..., Any]
_OURS = ("autograph.", "runtime.")


class Staging:
    """How a function of the user's becomes part of a graph; a converter may say so here.

    Attributes:
        call: takes the function to what is called instead.
    """

    call: Callable[[Function], Function] = staticmethod(lambda function: function)


def staged(function: Function) -> Function:
    """Return what an op calls in place of a function that it was given.

    >>> staged(abs)(-3)
    3
    """
    if current_recorder() is None:
        return function
    # Those of our own say what they mean in ops.
    is_ours = str(getattr(function, "__module__", "")).startswith(_OURS)
    return function if is_ours else Staging.call(function)
