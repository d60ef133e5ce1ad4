"""Unrolled loops: over Python values, and over the keys of a dict with optional items.

Such a dict has one iteration for each key, in a branch for a key that may be absent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import GeneratorType
from typing import Any

import runtime as rt
from autograph.backends.graph.containers.dict_views import StagedDictView
from autograph.backends.graph.containers.staged_dict import StagedDict
from autograph.backends.graph.control.conditional import staged_if
from autograph.backends.graph.objects.opaque_state import remaining_length
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.iterator_consumption import chain_of, consuming
from autograph.backends.graph.values.truth import truth
from autograph.errors import StagingError, UnrolledLoopWarning
from autograph.operators.call_listeners import defers_loop
from autograph.operators.state import State
from runtime.core.context import current_recorder
from runtime.core.source_names import warn_at
from runtime.core.weak_tables import IdentityTable

# The number of iterations of an unrolled loop at which a warning is issued.
_MANY = 100
# A Python loop whose exit depends on a tensor is unrolled up to this number of iterations. An
# iterator without a length, such as `itertools.count()`, has a lower limit.
_MOST_UNROLLED = 10_000
_MOST_OF_ENDLESS = 1_000
# Graphs during whose recording a warning was issued.
WARNED: IdentityTable[Any, None] = IdentityTable()


def warn_if_many(iterations: int) -> None:
    """Warn at the user's line if the number of unrolled iterations has reached the limit."""
    place = user_location()
    if iterations != _MANY or place is None:
        return
    message = (
        "this loop iterates over Python values and ends where a tensor says so, which made "
        f"{iterations} branches so far and will take long to trace: iterate over rt.range(...) or "
        "a tensor, so that it becomes a loop of the graph"
    )
    warn_at(place, message, UnrolledLoopWarning)
    graph: Any = current_recorder()
    while graph is not None:
        WARNED.put(graph, None)
        graph = graph.outer


def unroll_dict_view(
    iterated: Any,
    extra_test: Callable[[], object] | None,
    body: Callable[[object], None],
    state: State,
) -> None:
    """Run `body(item)` for each present item, while `extra_test()` holds.

    Raises:
        StagingError: if the keys of the dict change during the loop, or only a run knows their
            order.
    """
    held = iterated.user_object if isinstance(iterated, (StagedDict, StagedDictView)) else iterated
    view = iterated if isinstance(iterated, StagedDictView) else StagedDictView(held, "keys")
    for is_there, item in view.guarded_items():
        goes_on = True if extra_test is None else extra_test()
        if not isinstance(goes_on, rt.Tensor) and not goes_on:
            return
        _iteration(_both(is_there, goes_on), item, body, state, held)


def _iteration(
    pred: object,
    item: Callable[[], object],
    body: Callable[[object], None],
    state: State,
    held: object,
) -> None:
    if not isinstance(pred, rt.Tensor):
        body(item())
    else:
        roots = [("the dict", held)]
        staged_if(pred, lambda: body(item()), lambda: None, state, (body,), roots)


def _both(is_there: Any, goes_on: object) -> object:
    if not isinstance(goes_on, rt.Tensor):
        return is_there
    return truth(goes_on) if is_there is True else rt.logical_and(is_there, truth(goes_on))


def unrolled_items(items: Iterator[object]) -> Iterator[object]:
    """Yield the items of a Python loop that is unrolled.

    Raises:
        StagingError: if there are more items than the limit.
    """
    if defers_loop(each for each in chain_of(items) if type(each) is GeneratorType):
        raise _too_many(0)
    most = _MOST_UNROLLED if remaining_length(items) is not None else _MOST_OF_ENDLESS
    for count, item in enumerate(consuming(items)):
        if count >= most or (count >= _MANY and defers_loop()):
            raise _too_many(count)
        warn_if_many(count)
        yield item


def all_items(items: Iterator[object]) -> list[object]:
    """Return all items of an iterator.

    Raises:
        StagingError: if there are more items than the limit.
    """
    found: list[object] = []
    for item in items:
        if len(found) >= _MOST_UNROLLED:
            raise _too_many(len(found))
        found.append(item)
    return found


def _too_many(count: int) -> StagingError:
    return StagingError(
        f"a Python loop whose exit depends on a tensor went on for {count} iterations "
        "while tracing: iterate over rt.range(...) or a tensor, so that it becomes a loop "
        "of the graph",
        user_location(),
    )
