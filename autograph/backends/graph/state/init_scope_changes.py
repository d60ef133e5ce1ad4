"""Changes by code outside of the recorded graph: under `rt.init_scope()`, and in `build`.

def build(self, input_shape):      # called once, while the first call of the layer is traced
    self.width = input_shape[-1]   # a later call of the graph does not repeat this

    with rt.init_scope():
        self.traces += 1           # nor this

Such a change counts as made before the statements and the function that are being traced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import get_ident
from typing import Any

import runtime as rt
from autograph.backends.graph.arrays.staged_array import set_initial_elements
from autograph.backends.graph.objects.object_contents import (
    ClassVariables,
    Contents,
    StoredAttributes,
    contents_of,
    is_list,
    is_same_content,
)
from autograph.backends.graph.state.change_detection import changed
from autograph.backends.graph.state.object_paths import AccessPath, WatchedObject, entry_name
from autograph.backends.graph.state.reachability import DEEPEST, Reach
from autograph.operators.call_listeners import listeners
from autograph.operators.user_classes import is_a

_NOTHING = object()


def begin_init_scope(function: Callable[..., object] | None, since: int = 0) -> Callable[[], None]:
    """Begin code that is not part of the graph; return a function that ends it.

    All changes in between count as made before the trace.

    Args:
        function: the function that is about to run; the objects it mentions are watched.
        since: only reaches that began later are concerned; earlier ones see each call themselves.
    """
    watching = [each for each in reaches() if each.time > since]
    for each in watching if function is not None else ():
        each.note(function)
        each.run_once.add(id(function))
    before = [{id(each.value): now for each, now in changed(reach)} for reach in watching]
    marked = [reach.is_lifted for reach in watching]
    for reach in watching:
        reach.is_lifted = True
        if reach.keeper is not None:
            reach.keeper.check_streams(is_once=False)

    def ends() -> None:
        for reach, earlier, mark in zip(watching, before, marked):
            reach.is_lifted = mark
            _record_contents(reach, earlier)
            if reach.keeper is not None:
                reach.keeper.check_streams(is_once=True)

    return ends


def check_random_streams(is_of_one: bool) -> None:
    """Check which streams of random numbers have advanced since the last check.

    Args:
        is_of_one: whether the numbers drawn since the last check are the initial value of a
            variable, which no later call draws again.
    """
    for reach in reaches():
        if reach.keeper is not None and not reach.is_lifted:
            reach.keeper.check_streams(is_once=is_of_one)


def reaches() -> list[Reach]:
    """Return all reaches that watch the changes of this thread's code."""
    thread = get_ident()
    return [each for each in listeners() if isinstance(each, Reach) and each.thread == thread]


def _record_contents(reach: Reach, earlier: dict[int, Contents]) -> None:
    places = {id(each.value): at for at, each in enumerate(reach)}
    for each, now in changed(reach):
        then = earlier.get(id(each.value), each.contents)
        keys = _lifted_keys(each, then, now)
        if keys:
            reach.lifted += [(each, key) for key in keys]
            is_whole = is_list(each.value) or is_a(each.value, (set,))
            kept = {} if is_whole else each.contents
            held = {key: value for key, value in kept.items() if key not in keys}
            settled = now if is_whole else held | {key: now[key] for key in keys if key in now}
            _record_contents_at(reach, places[id(each.value)], settled)


def _lifted_keys(each: WatchedObject, then: Contents, now: Contents) -> list[object]:
    """Return the keys whose value has changed since `then`, and not before.

    A place that the trace also changed is state of calls, and so is one with tensors of the trace.
    """
    keys = [k for k in {**then, **now} if not _is_same(then, now, k)]
    own = [k for k in keys if _is_same(each.contents, then, k) and not _is_symbolic(now.get(k))]
    is_whole = is_list(each.value) or is_a(each.value, (set,))
    return own if not is_whole or (own == keys and [*then] == [*each.contents]) else []


def _is_same(one: Contents, other: Contents, key: object) -> bool:
    return is_same_content(one.get(key, _NOTHING), other.get(key, _NOTHING))


def _is_symbolic(value: Any) -> bool:
    if type(value) in (list, tuple, dict):
        return any(map(_is_symbolic, (contents_of(value) or dict(enumerate(value))).values()))
    return isinstance(value, rt.SymbolicTensor)


def _record_contents_at(reach: Reach, at: int, contents: Contents) -> None:
    """Record the contents of an object as its former contents, and watch the new objects in it."""
    before, count = set(map(id, reach[at].contents.values())), len(reach)
    each = reach[at] = replace(reach[at], contents=contents)
    path = each.path or AccessPath(each.value, ())
    for key, item in contents.items():
        if id(item) not in before:
            reach.add(entry_name(each, key), item, DEEPEST, True, path.to(key))
            if reach.keeper is not None:
                reach.keeper.add((item,))
    reach.made.update(id(_owner(new.value)) for new in reach[count:])
    new = [item for item in contents.values() if id(item) not in before]
    new += [item for each in reach[count:] for item in each.contents.values()]
    reach.made.update(id(item) for item in new if set_initial_elements(item))


def _owner(value: object) -> object:
    """Return the object whose attributes are watched; any other value itself."""
    return value.owner if isinstance(value, (StoredAttributes, ClassVariables)) else value
