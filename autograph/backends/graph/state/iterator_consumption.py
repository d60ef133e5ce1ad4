"""Items that a trace takes from an iterator although a run may not reach them.

    for x in it:              unrolled: each iteration is in a branch that a run may not reach
        if x == n: break
    next(it)                  Python goes on where the loop has stopped: refused here

The trace takes all items, and Python's iterators do not go back, so only a run knows what remains.
That does not matter for an iterator that no code uses again.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from itertools import count
from types import CellType, FrameType, FunctionType, GeneratorType
from typing import Any

from autograph.backends.backend_registry import check_contents_of
from autograph.backends.graph.objects.opaque_state import (
    OpaqueObject,
    remaining_length,
    source_iterators,
)
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.alias_state import alias_state
from autograph.backends.graph.state.change_detection import changed, watch
from autograph.backends.graph.state.reachability import Reach
from autograph.errors import ContainerMutationError, StagingError
from autograph.operators.frames import code_info_of, is_internal_code
from autograph.operators.user_classes import own_attributes
from runtime.core.context import current_recorder

_NOTHING = object()
_HOLDERS = (CellType, dict, tuple)


def consuming(items: Iterator[Any]) -> Iterator[Any]:
    """Yield the items of an iterator, of which a run may consume fewer.

    Raises:
        ContainerMutationError: if taking an item has other effects.
    """
    _record_unread(items)
    try:
        if not any(map(_is_users, chain_of(items))):
            yield from items
            return
        seen = {id(each) for each in chain_of(items) if _step(type(each)) and is_seen(each)}
        while (item := _taken(items, seen)) is not _NOTHING:
            yield item
    finally:
        _record_drawn(items)


def sequence(value: Any) -> Iterator[Any]:
    """Yield `value[0]`, `value[1]`, ... up to an IndexError, as Python iterates over it.

    Raises:
        StagingError: if only a run knows whether there is an item.
    """
    recorder: Any = current_recorder()
    for index in count():
        before = len(recorder.nodes)
        try:
            item = value[index]
        except IndexError:
            return
        if any(_may_end(node) for node in recorder.nodes[before:]):
            raise StagingError(
                f"Python iterates over this {type(value).__name__} by index, up to an IndexError, "
                "and where that comes is known only when the graph runs: give the class an "
                "`__iter__`, as in `return iter(self.items)`",
                user_location(),
            )
        yield item


def _may_end(node: Any) -> bool:
    raised = (node.attrs["error"],) if node.op.name == "check" else node.op.raises
    return any(issubclass(IndexError, each) for each in raised)


def record_consumed(items: Iterator[Any]) -> None:
    """Record that a run may leave items in an iterator, and in its sources."""
    _record_unread(items)
    _record_drawn(items)


def _record_unread(items: Iterator[Any]) -> None:
    aliases, place = alias_state(), user_location()
    if aliases is None:
        return
    for each in chain_of(items):
        if not (_is_at_end(each) or _step(type(each))):
            aliases.partly_consumed[id(each)] = (each, place)
            check_contents_of(type(each))


def _record_drawn(items: Iterator[Any]) -> None:
    """Record that the trace takes no more items from an iterator."""
    aliases = alias_state()
    if aliases is not None:
        for each in chain_of(items):
            if id(each) in aliases.partly_consumed:
                aliases.consumed_sources.update(map(id, chain_of(each)))


def refuse_used_up(value: object) -> None:
    """Refuse an iterator whose remaining items only the graph knows.

    Raises:
        ContainerMutationError: if it is.
    """
    aliases = alias_state()
    if aliases is not None and id(value) in aliases.partly_consumed:
        place = aliases.partly_consumed[id(value)][1]
        where = "" if place is None else f" of line {place.line}"
        raise ContainerMutationError(
            f"the remaining items of this {type(value).__name__} are known only when the graph "
            f"runs, since a tensor may end the loop{where} early: make a list of its items before "
            "the loop, iterate over that, and keep the position in a variable",
            user_location(),
        ) from None


def chain_of(items: Any) -> Iterator[Any]:
    """Yield an iterator and the iterators it takes items from."""
    waiting, visited = [items], set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) not in visited:
            visited.add(id(each))
            waiting += source_iterators(each)
            yield each


def _is_users(iterator: Any) -> bool:
    """Return whether code of the user's may run when an item is taken."""
    kind = type(iterator)
    return kind is GeneratorType or kind in (map, filter) or bool(_step(kind))


def _is_at_end(iterator: Any) -> bool:
    return remaining_length(iterator) == 0


def _taken(items: Iterator[Any], seen: set[int]) -> Any:
    """Return the next item, after a check that taking it has no other effects."""
    recorder: Any = current_recorder()
    before = len(recorder.nodes)
    chain = list(chain_of(items))
    reach = _reach_of(chain)
    item = next(items, _NOTHING)
    own = set(map(id, chain)) - seen
    names = [each.name for each, _ in changed(reach) if id(_owner(each.value)) not in own]
    if not names and all(node.effect in ("none", "read") for node in recorder.nodes[before:]):
        return item
    what = f"changes '{names[0]}'" if names else "does more than compute"
    raise ContainerMutationError(
        f"a tensor may end this loop early, and its iterator {what} with each item: do that in "
        "the body of the loop, or make a list of the items before it",
        user_location(),
    )


def is_seen(iterator: object, besides: object = None) -> bool:
    """Return whether a variable or an object of the user's references an iterator.

    Args:
        iterator: the iterator.
        besides: a holder that is not the user's.
    """
    # No inner function may share the variable: its cell would be a holder, too.
    identity, views = id(iterator), {id(besides)}
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        variables, part = frame.f_locals, code_info_of(frame.f_code)
        views.add(id(variables))
        names = [n for n in variables if part is None or n in part.names]
        if not is_internal_code(frame.f_code) and any(id(variables[n]) == identity for n in names):
            return True
        frame = frame.f_back
    holders = gc.get_referrers(iterator)
    return any(id(each) not in views and type(each) in _HOLDERS for each in holders)


def _owner(value: object) -> object:
    return value.owner if type(value) is OpaqueObject else value


def _reach_of(chain: list[Any]) -> Reach:
    """Watch the reach of the code that computes the next item."""
    functions, roots = list[Any](), list[tuple[str, object]]()
    for each in chain:
        if type(each) is GeneratorType:
            if each.gi_frame is not None:
                functions.append(_function_of(each))
                roots += _variables_of(each)
        elif type(each) in (map, filter):
            functions += [f for f in gc.get_referents(each) if callable(f)]
        elif step := _step(type(each)):
            functions.append(step)
            roots.append((type(each).__name__, each))
    return watch(*functions, roots=roots)


def _step(kind: type) -> FunctionType | None:
    """Return the user's `__next__` of a class."""
    found = (own_attributes(each).get("__next__") for each in kind.__mro__)
    step = next((each for each in found if each is not None), None)
    return step if type(step) is FunctionType else None


def _function_of(generator: Any) -> FunctionType:
    """Return a function with the code and the outer variables of a generator."""
    frame, code = generator.gi_frame, generator.gi_code
    held = [*gc.get_referents(generator), *gc.get_referents(frame)]
    cells = [each for each in held if type(each) is CellType]
    names = code.co_freevars
    # The cells of outer variables come last among the variables of a frame.
    made = (*code.co_cellvars, *names)
    closure = tuple(dict(zip(made, cells))[name] for name in names)
    return FunctionType(code, frame.f_globals, generator.__name__, None, closure)


def _variables_of(generator: Any) -> list[tuple[str, object]]:
    frame = generator.gi_frame
    outer = frame.f_code.co_freevars
    return [(name, value) for name, value in frame.f_locals.items() if name not in outer]
