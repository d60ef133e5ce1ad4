"""Containers of a trace that stand for others and receive the changes made to them.

    row = rows[i]                  row is a copy in the trace, put where it was picked if changed
    half = left if c else right    what half gets, the one taken gets

Python knows one object by both names. Before what such a container stands for is looked at, before
code that is not converted runs, and where a region ends, changes are passed on. What cannot be,
since something else has changed meanwhile, is refused when the trace is done.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from threading import get_ident
from types import BuiltinFunctionType
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import look_into_parts
from autograph.backends.graph.state.alias_state import (
    AliasMember,
    alias_state,
    is_as_then,
    part_of,
    present,
)
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.encode import is_changeable
from autograph.backends.graph.values.object_values import record_of
from autograph.operators.call_listeners import is_within, listen
from runtime.core.context import current_recorder

# Their methods change the container itself, which may be changed more than once before it is put
# back.
_CHANGED = (list, dict, deque)
_Contents = tuple[object, ...]


class Proxy(ABC):
    """A container that stands for others.

    Args:
        value: the container.
        parts: what of it can be changed, as it was when it came to stand for them.
        owners: the containers that hold, or are, what it stands for.

    Attributes:
        graph: what was recorded then.
        moved_in: where statements have changed the owners otherwise, as what was recorded then.
    """

    # No `__dict__`: `reachability` counts the referrers of a container, and the dict would be one.
    __slots__ = ("value", "parts", "owners", "graph", "moved_in", "_then")

    def __init__(
        self, value: object, parts: Sequence[AliasMember], owners: Sequence[object]
    ) -> None:
        self.value, self.parts, self.owners = value, list(parts), tuple(owners)
        self.graph: Any = current_recorder()
        self.moved_in: list[Any] = []
        # The owners' contents by region: those at the start, and those after a change was passed
        # on.
        self._then: list[tuple[object, list[_Contents]]] = [(self.graph, self._contents())]

    @abstractmethod
    def put_back(self) -> None:
        """Pass on what the container holds now."""

    @abstractmethod
    def fits(self, now: _Contents, then: _Contents) -> bool:
        """Return whether changes can be passed on to an owner that held other things then."""

    def is_changed(self) -> bool:
        """Return whether the container no longer holds what it did."""
        return not all(map(is_as_then, self.parts))

    def is_in_place(self) -> bool:
        """Return whether changes can be passed on to the owners as they are now."""
        return not self.is_moved() and all(map(self.fits, self._contents(), self._contents_then()))

    def is_moved(self) -> bool:
        """Return whether the owners were changed otherwise on the path that is recorded."""
        now = current_recorder()
        return any(is_within(each, now) or is_within(now, each) for each in self.moved_in)

    def stays(self, graph: object) -> None:
        """Note what the owners hold in a region, with everything in the place it had."""
        self._then = [each for each in self._then if each[0] is not graph]
        self._then.append((graph, self._contents()))

    def leaves(self, graph: object) -> None:
        """Forget what the owners hold in a region that ends."""
        self._then = [each for each in self._then if each[0] is not graph]

    def is_put(self, graph: object) -> None:
        """Note that the owners know, in a region, of all that the container holds."""
        objects = [part.value for part in self.parts if record_of(part.value) is not None]
        inside = [each for made in objects for each in record_of(made).values]  # type: ignore[union-attr]
        found = [each for value in (self.value, *inside) for each in _containers_in(value)]
        self.parts = [part_of(each) for each in {id(x): x for x in (*found, *objects)}.values()]
        self.stays(graph)
        self.refresh()

    def concerns(self, looked_at: object) -> bool:
        """Return whether what is looked at may hold what the container stands for."""
        return False

    @abstractmethod
    def refresh(self) -> None:
        """Take what has been noted of the container as it is now."""

    def _contents(self) -> list[_Contents]:
        return list(map(contents_now, self.owners))

    def _contents_then(self) -> list[_Contents]:
        graph: Any = current_recorder()
        known = {id(each): contents for each, contents in self._then}
        while id(graph) not in known:
            graph = graph.outer
        return known[id(graph)]


def _containers_in(value: object) -> Iterator[object]:
    """Yield the lists and dicts in a value that can be changed, and the value if it is one."""
    value = present(value)
    if is_changeable(value) and rt.nest.is_nested(value):
        yield value
    for child in rt.nest.children(value) or ():
        if type(child) is not DynamicItems:
            yield from _containers_in(child)


def contents_now(owner: object) -> _Contents:
    """Return the items of a list, or the keys and values of a dict."""
    keys = dict.keys(owner) if isinstance(owner, dict) else ()
    return (*keys, *(rt.nest.children(owner) or ()))


def is_beginning(then: _Contents, now: _Contents) -> bool:
    """Return whether one list begins with the very items of another."""
    return len(now) >= len(then) and all(map(operator.is_, now, then))


class _Calls:
    """Puts changed items back before code that is not converted may look at them."""

    def __init__(self, recorder: object) -> None:
        self.thread, self.recorder = get_ident(), recorder

    def note(self, callee: object) -> None:
        """Take notice of what is about to be called."""
        if type(callee) is not BuiltinFunctionType or type(callee.__self__) not in _CHANGED:
            settle()


def note_proxy(proxy: Proxy) -> None:
    """Pass on changes of a container from now on."""
    known = alias_state()
    if known is None:
        return
    known.proxies.append(proxy)
    known.stood[id(proxy.value)] = proxy.value
    look_into_parts([*proxy.parts, *map(part_of, proxy.owners)])
    if known.calls is None:
        known.calls = _Calls(current_recorder())
        listen(known.calls)


def settle(looked_at: object = None) -> None:
    """Put back changed items: all, or those that what is looked at holds."""
    known = alias_state()
    if known is None or not known.proxies:
        return
    picks = known.proxies if looked_at is None else _held_by(looked_at, known.proxies)
    recorder = current_recorder()
    if looked_at is not None:
        found = {id(pick) for pick in picks}
        waiting = [pick for pick in known.proxies if id(pick) not in found and pick.is_changed()]
        picks = [*picks, *(pick for pick in waiting if pick.concerns(looked_at))]
    for pick in reversed(picks):
        if is_within(recorder, pick.graph) and pick.is_changed() and pick.is_in_place():
            pick.put_back()
    if looked_at is None:
        _note_moved(known.proxies)


def _note_moved(picks: Iterable[Proxy]) -> None:
    """Note which owners have been changed otherwise: what stood for them does so no more."""
    recorder = current_recorder()
    for each in picks:
        if each.parts and is_within(recorder, each.graph) and not each.is_in_place():
            each.moved_in.append(recorder)


def settle_region() -> None:
    """Pass on changes at the end of a region; what came to be in it is not there any more."""
    settle()
    known = alias_state()
    if known is None or not known.proxies:
        return
    recorder = current_recorder()
    known.proxies[:] = [pick for pick in known.proxies if pick.graph is not recorder]
    for pick in known.proxies:
        if is_within(recorder, pick.graph):
            pick.leaves(recorder)


def stand_as_before(region: object = None) -> None:
    """Take containers as they are, when all variables have been given other values.

    That is at the beginning of a region and after a statement: what stood for others still does.

    Args:
        region: what is recorded next; else it is what is recorded now.
    """
    known, recorder = alias_state(), current_recorder()
    for each in known.proxies if known is not None else ():
        if is_within(recorder, each.graph) and each.parts and not each.is_moved():
            each.is_put(region or recorder)


def _held_by(looked_at: object, picks: Sequence[Proxy]) -> list[Proxy]:
    """Return the picks of a list and of the items picked out of it; of an item, its siblings."""
    if _is_copied(looked_at):
        return list(picks)
    ids, found = {id(looked_at)}, []
    for pick in picks:
        if any(part.value is looked_at for part in pick.parts):
            ids.update(map(id, pick.owners))
    for pick in picks:
        own = set(ids_of(pick.parts))
        if ids.intersection(map(id, pick.owners)) and id(looked_at) not in own:
            ids |= own
            found.append(pick)
    return found


def _is_copied(looked_at: object) -> bool:
    """Return whether a run of the graph has a copy of a container, of which there may be picks."""
    known = alias_state()
    copied = known.copied if known is not None else ()
    return any(part.value is looked_at for each in copied for part in each.parts)


def ids_of(parts: Iterable[AliasMember]) -> list[int]:
    """Return the identities of containers."""
    return [id(part.value) for part in parts]
