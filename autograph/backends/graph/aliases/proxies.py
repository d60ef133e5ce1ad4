"""Proxies: containers of the trace that represent other containers and forward changes to them.

    row = rows[i]                  row is a copy in the trace, written back if changed
    half = left if c else right    a change of half is passed on to the one taken

In Python both names are one object. Changes are passed on before code reads an owner, before code
that is not converted runs, and at the end of a region. If an owner has changed meanwhile, the
change cannot be passed on, and is refused when the trace ends.
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
from autograph.backends.graph.aliases.alias_sets import watch_members
from autograph.backends.graph.state.alias_state import (
    AliasMember,
    alias_state,
    as_member,
    is_unchanged,
    present_value,
)
from autograph.backends.graph.values.container_snapshot import is_mutable
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.object_values import record_of
from autograph.operators.call_listeners import is_within, listen
from runtime.core.context import current_recorder

# A call of a method of these types only changes its own container: no proxy has to be flushed.
_CHANGED = (list, dict, deque)
_Contents = tuple[object, ...]


class Proxy(ABC):
    """A container that stands for others.

    Args:
        value: the container.
        parts: its mutable parts, with their contents when it was made.
        owners: the containers that contain, or are, the objects it stands for.

    Attributes:
        graph: the graph that was being recorded when it was made.
        owners_changed_in: the graphs in which other statements have changed the owners.
    """

    # No `__dict__`: `user_references` counts the referrers of a container, and it would be one.
    __slots__ = ("value", "parts", "owners", "graph", "owners_changed_in", "_then")

    def __init__(
        self, value: object, parts: Sequence[AliasMember], owners: Sequence[object]
    ) -> None:
        self.value, self.parts, self.owners = value, list(parts), tuple(owners)
        self.graph: Any = current_recorder()
        self.owners_changed_in: list[Any] = []
        # The owners' contents by region: those at the start, and those after a change was passed
        # on.
        self._then: list[tuple[object, list[_Contents]]] = [(self.graph, self._contents())]

    @abstractmethod
    def write_back(self) -> None:
        """Pass the current contents on to the owners."""

    @abstractmethod
    def accepts(self, now: _Contents, then: _Contents) -> bool:
        """Return whether an owner with contents `now`, formerly `then`, can receive changes."""

    def is_changed(self) -> bool:
        """Return whether the contents have changed."""
        return not all(map(is_unchanged, self.parts))

    def is_in_place(self) -> bool:
        """Return whether changes can be passed on to the owners with their current contents."""
        return not self.have_owners_changed() and all(
            map(self.accepts, self._contents(), self._contents_then())
        )

    def have_owners_changed(self) -> bool:
        """Return whether other statements on the recorded path have changed the owners."""
        now = current_recorder()
        return any(is_within(each, now) or is_within(now, each) for each in self.owners_changed_in)

    def record_owner_contents(self, graph: object) -> None:
        """Record the owners' current contents as those that can receive changes in a region."""
        self._then = [each for each in self._then if each[0] is not graph]
        self._then.append((graph, self._contents()))

    def forget_owner_contents(self, graph: object) -> None:
        """Forget the owners' contents recorded for a region that ends."""
        self._then = [each for each in self._then if each[0] is not graph]

    def mark_written_back(self, graph: object) -> None:
        """Record that, in a region, the owners have all contents of the container."""
        objects = [part.value for part in self.parts if record_of(part.value) is not None]
        inside = [each for made in objects for each in record_of(made).values]  # type: ignore[union-attr]
        found = [each for value in (self.value, *inside) for each in _containers_in(value)]
        self.parts = [as_member(each) for each in {id(x): x for x in (*found, *objects)}.values()]
        self.record_owner_contents(graph)
        self.refresh()

    def may_be_in(self, read_object: object) -> bool:
        """Return whether an object that is read may hold a container that this one stands for."""
        return False

    @abstractmethod
    def refresh(self) -> None:
        """Update the alias state with the container's current contents."""

    def _contents(self) -> list[_Contents]:
        return list(map(current_items, self.owners))

    def _contents_then(self) -> list[_Contents]:
        graph: Any = current_recorder()
        known = {id(each): contents for each, contents in self._then}
        while id(graph) not in known:
            graph = graph.outer
        return known[id(graph)]


def _containers_in(value: object) -> Iterator[object]:
    """Yield the lists, dicts and other mutable structures in a value, the value included."""
    value = present_value(value)
    if is_mutable(value) and rt.nest.is_nested(value):
        yield value
    for child in rt.nest.children(value) or ():
        if type(child) is not DynamicItems:
            yield from _containers_in(child)


def current_items(owner: object) -> _Contents:
    """Return the items of a list, or the keys and values of a dict."""
    keys = dict.keys(owner) if isinstance(owner, dict) else ()
    return (*keys, *(rt.nest.children(owner) or ()))


def is_beginning(then: _Contents, now: _Contents) -> bool:
    """Return whether the items `now` begin with the items `then`."""
    return len(now) >= len(then) and all(map(operator.is_, now, then))


class _CallListener:
    """A call listener that passes on changes before code that is not converted may read them."""

    def __init__(self, recorder: object) -> None:
        self.thread, self.recorder = get_ident(), recorder

    def note(self, callee: object) -> None:
        """Pass on changes before a call."""
        if type(callee) is not BuiltinFunctionType or type(callee.__self__) not in _CHANGED:
            flush_changes()


def record_proxy(proxy: Proxy) -> None:
    """Record a proxy, whose changes are passed on from now on."""
    aliases = alias_state()
    if aliases is None:
        return
    aliases.proxies.append(proxy)
    aliases.proxied[id(proxy.value)] = proxy.value
    watch_members([*proxy.parts, *map(as_member, proxy.owners)])
    if aliases.call_listener is None:
        aliases.call_listener = _CallListener(current_recorder())
        listen(aliases.call_listener)


def flush_changes(read_object: object = None) -> None:
    """Pass on changes: all, or those that concern an object that is read."""
    aliases = alias_state()
    if aliases is None or not aliases.proxies:
        return
    picks = (
        aliases.proxies if read_object is None else _proxies_read_by(read_object, aliases.proxies)
    )
    recorder = current_recorder()
    if read_object is not None:
        found = {id(pick) for pick in picks}
        waiting = [pick for pick in aliases.proxies if id(pick) not in found and pick.is_changed()]
        picks = [*picks, *(pick for pick in waiting if pick.may_be_in(read_object))]
    for pick in reversed(picks):
        if is_within(recorder, pick.graph) and pick.is_changed() and pick.is_in_place():
            pick.write_back()
    if read_object is None:
        _record_changed_owners(aliases.proxies)


def _record_changed_owners(picks: Iterable[Proxy]) -> None:
    """Record that statements have changed owners directly: their proxies pass on nothing more."""
    recorder = current_recorder()
    for each in picks:
        if each.parts and is_within(recorder, each.graph) and not each.is_in_place():
            each.owners_changed_in.append(recorder)


def flush_region() -> None:
    """Pass on changes at the end of a region; proxies made in it are gone after it."""
    flush_changes()
    aliases = alias_state()
    if aliases is None or not aliases.proxies:
        return
    recorder = current_recorder()
    aliases.proxies[:] = [pick for pick in aliases.proxies if pick.graph is not recorder]
    for pick in aliases.proxies:
        if is_within(recorder, pick.graph):
            pick.forget_owner_contents(recorder)


def rebase_proxies(region: object = None) -> None:
    """Record the current contents of all proxies and owners as unchanged.

    This happens at the start of a region and after a statement, when all variables get new values.

    Args:
        region: the graph that is recorded next; by default the one recorded now.
    """
    aliases, recorder = alias_state(), current_recorder()
    for each in aliases.proxies if aliases is not None else ():
        if is_within(recorder, each.graph) and each.parts and not each.have_owners_changed():
            each.mark_written_back(region or recorder)


def _proxies_read_by(read_object: object, picks: Sequence[Proxy]) -> list[Proxy]:
    """Return the proxies whose changes a read of an object may show.

    They are the proxies of the object, of the owners that it stands for, and in turn of these
    proxies; all proxies, if a list handle has a copy of the object.
    """
    if _is_copied(read_object):
        return list(picks)
    ids, found = {id(read_object)}, []
    for pick in picks:
        if any(part.value is read_object for part in pick.parts):
            ids.update(map(id, pick.owners))
    for pick in picks:
        own = set(ids_of(pick.parts))
        if ids.intersection(map(id, pick.owners)) and id(read_object) not in own:
            ids |= own
            found.append(pick)
    return found


def _is_copied(read_object: object) -> bool:
    """Return whether a list handle has a copy of a container: any pick may be that container."""
    aliases = alias_state()
    copied = aliases.copied if aliases is not None else ()
    return any(part.value is read_object for each in copied for part in each.members)


def ids_of(parts: Iterable[AliasMember]) -> list[int]:
    """Return the identities of the containers."""
    return [id(part.value) for part in parts]
