"""A `for` over a dict of which some items are there on some paths only: one turn for each key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as rt
from autograph.backends.graph.conditional import staged_if
from autograph.backends.graph.perhaps import StagedView
from autograph.backends.graph.staged_dict import StagedDict
from autograph.backends.graph.truth import truth
from autograph.operators.state import State


def go_over(
    iterated: Any,
    extra_test: Callable[[], object] | None,
    body: Callable[[object], None],
    state: State,
) -> None:
    """Run `body(item)` for each item, where it is there and while `extra_test()` holds.

    Raises:
        StagingError: if the dict gets or loses keys meanwhile.
    """
    held = iterated.held if isinstance(iterated, (StagedDict, StagedView)) else iterated
    view = iterated if isinstance(iterated, StagedView) else StagedView(held, "keys")
    for is_there, item in view.turns():
        goes_on = True if extra_test is None else extra_test()
        if not isinstance(goes_on, rt.Tensor) and not goes_on:
            return
        _turn(_both(is_there, goes_on), item, body, state)


def _turn(
    pred: object, item: Callable[[], object], body: Callable[[object], None], state: State
) -> None:
    if not isinstance(pred, rt.Tensor):
        body(item())
    else:
        staged_if(pred, lambda: body(item()), lambda: None, state, (body,))


def _both(is_there: object, goes_on: object) -> object:
    if not isinstance(goes_on, rt.Tensor):
        return is_there
    return truth(goes_on) if is_there is True else rt.logical_and(is_there, truth(goes_on))
