"""Items picked out of a list by a place that only the graph knows, put back there when changed.

    row = rows[i]              row is a copy in the trace
    row.append(1)              the copy is changed
    len(rows[j])               before rows is looked at, row is put where it was picked

Python knows one list by both names. What is not put back, since the list has changed meanwhile or
the path on which it was picked is left, is refused when the trace is done.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import get_ident
from types import BuiltinFunctionType
from typing import Any, NamedTuple

import runtime as rt
from autograph.backends.graph.contents import contents_of, put_contents
from autograph.backends.graph.noted import Part, changeable_parts, is_as_then, noted, part_of
from autograph.backends.graph.plan_types import Plan
from autograph.backends.graph.touching import parts_of, put_back
from autograph.backends.graph.trials import refuse_when_run
from autograph.backends.graph.truth import length_of
from autograph.backends.graph.twins import look_into_parts
from autograph.errors import ContainerMutationError
from autograph.operators.called import is_within, listen
from runtime.context import current_recorder

# Their methods change the item itself, which may be changed more than once before it is put back.
_CHANGED = (list, dict)


class Place(NamedTuple):
    """Where an item was picked.

    Attributes:
        owner: the list or dict.
        key: where in it.
        put: puts a value there.
        read: gives what is there, without a note of it.
    """

    owner: Any
    key: Any
    put: Callable[[object], None]
    read: Callable[[], object]


@dataclass(slots=True, eq=False)
class Pick:
    """An item picked out of a list or dict.

    Attributes:
        place: where.
        value: the item.
        parts: what of it can be changed, as it was when it was picked or put back.
        graph: what was recorded then.
        then: what the owner held, and what it holds in a region since it was given that there.
        moved: whether a statement has put the owner's items in other places.
    """

    place: Place
    value: object
    parts: list[Part]
    graph: object
    then: list[tuple[object, tuple[object, ...]]]
    moved: bool = False

    @property
    def owner(self) -> Any:
        """The list or dict."""
        return self.place.owner

    def is_changed(self) -> bool:
        """Tell whether the item is no longer what was picked."""
        return not all(map(is_as_then, self.parts))

    def is_in_place(self) -> bool:
        """Tell whether the item is where it was picked; others may have been appended."""
        now, then = _contents(self.owner), self._contents_then()
        return not self.moved and len(now) >= len(then) and all(map(operator.is_, now, then))

    def stays(self, graph: object) -> None:
        """Note what the owner holds in a region, with the items in the places they had."""
        self.then = [each for each in self.then if each[0] is not graph]
        self.then.append((graph, _contents(self.owner)))

    def leaves(self, graph: object) -> None:
        """Forget what the owner holds in a region that ends."""
        self.moved = not self.is_in_place()
        self.then = [each for each in self.then if each[0] is not graph]

    def _contents_then(self) -> tuple[object, ...]:
        graph = current_recorder()
        known = {id(each): contents for each, contents in self.then}
        while id(graph) not in known:
            graph = graph.outer  # type: ignore[union-attr]
        return known[id(graph)]

    def put_back(self) -> None:
        """Put the changed item where it was picked; other picks of the list see it there."""
        known = noted()
        assert known is not None, "what is picked was noted"
        before, parts, others = _contents(self.owner), self.parts, self._others(known.picks)
        for other in others:
            if other.is_changed():
                self._check_apart(other)
        self.parts, count = [], len(known.copied)
        self.place.put(self.value)
        # What the run has a copy of now: this item is put there again, the others are looked up.
        own = {*_ids(parts), *(id(part.value) for item in before for part in parts_of(item))}
        for copied in known.copied[count:]:
            copied.parts = [part for part in copied.parts if id(part.value) not in own]
        put_back(self.owner, self.value, before, [other.value for other in others])
        self.parts = [part_of(part.value) for part in parts]
        self.stays(current_recorder())
        refresh(self.parts)
        for other in others:
            if not other.is_changed():
                other.read_anew()
            other.stays(current_recorder())

    def _others(self, picks: Sequence[Pick]) -> list[Pick]:
        """Return the other picks of the list that can take in what becomes of it."""
        return [
            each
            for each in picks
            if each.owner is self.owner
            and each is not self
            and each.graph is current_recorder()
            and len(each.parts) == 1
            and each.is_in_place()
        ]

    def _check_apart(self, other: Pick) -> None:
        """Have it looked at, when the graph runs, whether two changed items are one."""
        refuse_when_run(
            rt.not_equal(*(_from_start(each.place) for each in (self, other))),
            ContainerMutationError,
            "one item of a list is changed under two names, which were picked out of it before: "
            "pick the second one after the first has been changed",
        )

    def read_anew(self) -> None:
        """Let the item hold what is now where it was picked."""
        (part,) = self.parts
        put_contents(part.value, contents_of(self.place.read()) or {})
        self.parts = [part_of(part.value)]
        refresh(self.parts)


class _Calls:
    """Puts changed items back before code that is not converted may look at them."""

    def __init__(self, recorder: object) -> None:
        self.thread, self.recorder = get_ident(), recorder

    def note(self, callee: object) -> None:
        """Take notice of what is about to be called."""
        if type(callee) is not BuiltinFunctionType or type(callee.__self__) not in _CHANGED:
            settle()


def note_pick(place: Place, plan: Plan, value: object) -> None:
    """Note that a value, made as a plan says, was picked out of a list or dict."""
    known = noted()
    parts = [part_of(each) for each in changeable_parts(plan, value)]
    if known is None or not parts:
        return
    recorder = current_recorder()
    pick = Pick(place, value, parts, recorder, [(recorder, _contents(place.owner))])
    known.picks.append(pick)
    look_into_parts([part_of(place.owner)])
    if known.calls is None:
        known.calls = _Calls(recorder)
        listen(known.calls)


def settle(looked_at: object = None) -> None:
    """Put back changed items: all, or those that what is looked at holds."""
    known = noted()
    if known is None or not known.picks:
        return
    picks = known.picks if looked_at is None else _held_by(looked_at, known.picks)
    recorder = current_recorder()
    for pick in reversed(picks):
        if is_within(recorder, pick.graph) and pick.is_changed() and pick.is_in_place():
            pick.put_back()


def settle_region() -> None:
    """Put back what was picked in the region that ends now; nothing of it is there after it."""
    known = noted()
    if known is None or not known.picks:
        return
    recorder = current_recorder()
    own = [pick for pick in known.picks if pick.graph is recorder]
    for pick in reversed(own):
        if pick.is_changed() and pick.is_in_place():
            pick.put_back()
    known.picks[:] = [pick for pick in known.picks if pick.graph is not recorder]
    for pick in known.picks:
        if is_within(recorder, pick.graph):
            pick.leaves(recorder)


def is_put_back(owner: object, value: object) -> bool:
    """Tell whether an item picked out of a list has been put back as it is now."""
    known = noted()
    return any(
        pick.value is value and pick.owner is owner and pick.is_in_place() and not pick.is_changed()
        for pick in (known.picks if known is not None else ())
    )


class staying:
    """Give variables other values, in which items are where they were.

    Args:
        region: where they get them, such as the body of a loop; else it is what is recorded.
    """

    def __init__(self, region: object = None) -> None:
        self._region = region

    def __enter__(self) -> None:
        known, recorder = noted(), current_recorder()
        picks = known.picks if known is not None else ()
        self._region = self._region or recorder
        self._kept = [p for p in picks if is_within(recorder, p.graph) and p.is_in_place()]

    def __exit__(self, *error: object) -> None:
        for pick in self._kept:
            pick.stays(self._region)


def refresh(parts: Sequence[Part]) -> None:
    """Note what was put back as it is now."""
    known = noted()
    ids = set(_ids(parts))
    for twins in known.twins if known is not None else ():
        if not twins.name and id(twins.parts[0].value) in ids:
            twins.parts = [part_of(twins.parts[0].value)]


def _held_by(looked_at: object, picks: Sequence[Pick]) -> list[Pick]:
    """Return the picks of a list and of the items picked out of it; of an item, its siblings."""
    ids, found = {id(looked_at)}, []
    ids.update(id(p.owner) for p in picks if any(part.value is looked_at for part in p.parts))
    for pick in picks:
        own = set(_ids(pick.parts))
        if id(pick.owner) in ids and id(looked_at) not in own:
            ids |= own
            found.append(pick)
    return found


def _from_start(place: Place) -> Any:
    """Return an index counted from the start of a list, any other key as it is."""
    if not isinstance(place.owner, list):
        return place.key
    from_end = rt.add(place.key, length_of(place.owner))
    return rt.where(rt.less(place.key, 0), from_end, place.key)


def _ids(parts: Iterable[Part]) -> list[int]:
    return [id(part.value) for part in parts]


def _contents(owner: object) -> tuple[object, ...]:
    return tuple(rt.nest.children(owner) or ())
