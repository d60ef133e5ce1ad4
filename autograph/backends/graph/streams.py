"""Iterators over tensors: what `zip`, `enumerate`, `map`, `filter`, `reversed` and `iter` give.

Each can be gone over once. Python goes over one whose length is known, a staged `for` over any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import runtime as rt
from autograph.backends.graph.conditional import staged_choice
from autograph.backends.graph.courses import (
    Course,
    Hidden,
    Indexed,
    Turn,
    count_now,
    course_by_index,
    course_over_range,
    rows_of,
)
from autograph.backends.graph.iteration import StagedIterable, SymbolicRange, as_weak, static_length
from autograph.backends.graph.perhaps import StagedView
from autograph.backends.graph.places import user_place
from autograph.backends.graph.stream_parts import (
    LiveItems,
    is_run,
    is_tensor,
    iterator_of,
    staged_list,
    starts_anew,
)
from autograph.backends.graph.truth import truth
from autograph.backends.graph.words import kind_word
from autograph.errors import StagedIterationError
from runtime.context import current_recorder
from runtime.ops.io import check

_MOST_ASKED = 200  # Who asks for more items one by one goes over all of them, without an end.
_NUMBERS = (bool, int, float)


class StagedIterator(StagedIterable):
    """An iterator over several parts, of which at least one is a tensor or an iterator like this.

    Args:
        parts: tensors, Variables, ranges, lists, or iterators.

    Attributes:
        name: of the builtin that makes it.
        functions: the user's functions that are called for the items.
    """

    name = "iter"
    # Whether there is an item for every index.
    is_indexed = True
    functions: tuple[Callable[..., object], ...] = ()
    # How many items Python has asked for whose number is not known.
    _asked = 0

    def __init__(self, parts: Sequence[object]) -> None:
        for part in parts:
            if is_tensor(part):
                static_length(part)  # A scalar has no rows; this says so.
            elif isinstance(part, StagedIterator):
                part.give_to(self)
                self.is_indexed = self.is_indexed and part.is_indexed
        self.parts = tuple(parts)
        self._graph = current_recorder()
        self._items: Iterator[Any] | None = None
        self._position: Any = 0
        self._owner: StagedIterator | None = None
        self._taken = False

    # -- by Python -----------------------------------------------------------------------------

    def known(self) -> bool:
        """Tell whether Python can go over it: the lengths of all parts are known."""
        return isinstance(self._position, int) and all(map(is_known, self.parts))

    def python(self, parts: list[Iterator[Any]]) -> Iterator[Any]:
        """Return what Python gives for iterators over the parts."""
        return parts[0]

    def __iter__(self) -> Iterator[Any]:
        self._refuse_elsewhere()
        if not self.known():
            raise self.unknown_length()
        return self

    def __next__(self) -> Any:
        self._refuse_elsewhere()
        if not self.known():
            return self._next_staged()
        if self._items is None:
            self._items = self.python([iterator_of(part) for part in self.parts])
        item = next(self._items)
        self._position += 1
        return item

    def _next_staged(self) -> object:
        self._asked += 1
        if self._asked > _MOST_ASKED:
            raise self.unknown_length()
        indexed, position = self.indexed(), self._position
        check(indexed.has(position), StopIteration, "")
        self._position = rt.add(position, 1)
        return indexed.at(rt.convert_to_tensor(position))

    def item_or(self, default: object) -> object:
        """Return the next item, or `default` after the last."""
        self._refuse_elsewhere()
        if self.known():
            return next(self, default)
        indexed, position = self.indexed(), rt.convert_to_tensor(self._position)
        has_more = indexed.has(position)
        self._position = rt.add(position, rt.cast(has_more, position.dtype))
        taken = partial(lambda *called: indexed.at(position), *indexed.functions)
        return staged_choice(has_more, taken, lambda: default, "next(...)")

    # -- staged --------------------------------------------------------------------------------

    def items_at(self, parts: Sequence[Any]) -> object:
        """Return the item made of the items of the parts."""
        return parts[0]

    def indexed(self) -> Indexed:
        """Return the items by index, from the beginning."""
        if self._items is not None and not all(map(starts_anew, self.parts)):
            raise self._moved("a part of it has been gone over by Python")
        inner = [indexed_part(part, self) for part in self.parts]
        counts = tuple(count for each in inner for count in each.counts)
        functions = (*self.functions, *(f for each in inner for f in each.functions))
        return Indexed(
            counts, lambda index: self.items_at([each.at(index) for each in inner]), functions
        )

    def course(self) -> Course:
        """Return how a staged `for` goes over what is left of it."""
        self._refuse_elsewhere()
        part = self.parts[0]
        if len(self.parts) == 1 and isinstance(part, StagedIterator) and not part.is_indexed:
            return self.course_over(part.course())
        return course_by_index(self.indexed(), self._position, self._left)

    def course_over(self, inner: Course) -> Course:
        """Return how to go over this, whose one part leaves items out."""
        raise self.unknown_length()

    def _left(self, hidden: Hidden) -> None:
        self._position, self._items = hidden[0], None

    def give_to(self, owner: StagedIterator) -> None:
        """Note that another iterator goes over this one now."""
        self._refuse_elsewhere()
        if self._owner not in (None, owner):
            raise self._moved(f"{self._owner!r} goes over it already")
        self._owner = owner

    def from_here(self) -> Indexed:
        """Return the items that are left, by index, for the iterator that goes over this one."""
        self._refuse_elsewhere()
        self._taken = True
        indexed, start = self.indexed(), self._position
        if isinstance(start, int) and start == 0:
            return indexed
        counts = tuple(partial(_left_of, count, start) for count in indexed.counts)
        return Indexed(counts, lambda index: indexed.at(rt.add(index, start)), indexed.functions)

    def _refuse_elsewhere(self) -> None:
        if self._taken:
            raise self._moved(f"{self._owner!r} has gone over it")
        if current_recorder() is not self._graph:
            raise self._moved("it was made outside this branch or loop, which may run again")

    def _moved(self, why: str) -> StagedIterationError:
        return StagedIterationError(
            f"{self!r} cannot be gone over here: {why}; write {self.name}(...) again in this place",
            user_place(),
        )

    def __repr__(self) -> str:
        return f"{self.name}(...) over tensors"


class Rows(StagedIterator):
    """`iter(t)`: the rows of one tensor or range."""


class Zipped(StagedIterator):
    """`zip(a, b, ..., strict=)`: as long as the shortest, or an error if they differ."""

    name = "zip"

    def __init__(self, parts: Sequence[object], strict: bool = False) -> None:
        super().__init__(parts)
        self.strict = strict

    def python(self, parts: list[Iterator[Any]]) -> Iterator[Any]:
        return zip(*parts, strict=self.strict)

    def items_at(self, parts: Sequence[Any]) -> object:
        return tuple(parts)

    def indexed(self) -> Indexed:
        iterators = [part for part in self.parts if isinstance(part, StagedIterator)]
        if len({id(part) for part in iterators}) < len(iterators):
            raise StagedIterationError(
                "zip() of an iterator with itself takes from it in turns, which a graph cannot: "
                "write zip(t[0::2], t[1::2]) with the tensor",
                user_place(),
            )
        return super().indexed()

    def _left(self, hidden: Hidden) -> None:
        super()._left(hidden)
        if self.strict:
            self._check_lengths(hidden[0])

    def _check_lengths(self, position: rt.Tensor) -> None:
        counts = [count_now(count) for count in self.indexed().counts]
        at_end = rt.logical_not(self.indexed().has(position))
        for number, count in enumerate(counts[1:], 2):
            others = "argument 1" if number == 2 else f"arguments 1-{number - 1}"
            for differs, word in ((rt.less, "shorter"), (rt.greater, "longer")):
                wrong = rt.logical_and(at_end, differs(rt.convert_to_tensor(count), counts[0]))
                message = f"zip() argument {number} is {word} than {others}"
                check(rt.logical_not(wrong), ValueError, message)


class Enumerated(StagedIterator):
    """`enumerate(values, start)`."""

    name = "enumerate"

    def __init__(self, values: object, start: object = 0) -> None:
        super().__init__([values])
        self.start = start

    def python(self, parts: list[Iterator[Any]]) -> Iterator[Any]:
        if not isinstance(self.start, rt.Tensor):
            return enumerate(parts[0], self.start)  # type: ignore[arg-type]
        return ((rt.add(self.start, k), item) for k, item in enumerate(parts[0]))

    def indexed(self) -> Indexed:
        inner = super().indexed()

        def at(index: rt.Tensor) -> object:
            return (rt.add(index, self.start), inner.at(index))

        return Indexed(inner.counts, at, inner.functions)

    def course_over(self, inner: Course) -> Course:
        def turn(hidden: Hidden) -> Turn:
            *before, place = hidden
            given = inner.turn(before)
            step = 1 if given.kept is None else rt.cast(given.kept, place.dtype)
            return Turn(
                lambda: (place, given.item()),
                lambda: [*given.following(), as_weak(rt.add(place, step))],
                given.kept,
            )

        first = as_weak(rt.convert_to_tensor(self.start))
        more = lambda hidden: inner.more(hidden[:-1])  # noqa: E731
        return Course([*inner.hidden, first], more, turn, inner.functions)


class Mapped(StagedIterator):
    """`map(function, a, b, ...)`."""

    name = "map"

    def __init__(self, function: Callable[..., object], *parts: object) -> None:
        super().__init__(parts)
        self.function, self.functions = function, (function,)

    def python(self, parts: list[Iterator[Any]]) -> Iterator[Any]:
        return map(self.function, *parts)

    def items_at(self, parts: Sequence[Any]) -> object:
        return self.function(*parts)

    def course_over(self, inner: Course) -> Course:
        def turn(hidden: Hidden) -> Turn:
            given = inner.turn(hidden)
            return Turn(lambda: self.function(given.item()), given.following, given.kept)

        return Course(inner.hidden, inner.more, turn, (*self.functions, *inner.functions))


class Reversed(StagedIterator):
    """`reversed(t)` of a tensor or range."""

    name = "reversed"

    def python(self, parts: list[Iterator[Any]]) -> Iterator[Any]:
        return reversed(list(parts[0]))

    def indexed(self) -> Indexed:
        inner = super().indexed()
        count = count_now(*inner.counts)

        def at(index: rt.Tensor) -> object:
            return inner.at(rt.subtract(rt.subtract(count, 1), index))

        return Indexed(inner.counts, at)


class Filtered(StagedIterator):
    """`filter(function, values)`: how many items it leaves is known only when the graph runs."""

    name = "filter"
    is_indexed = False

    def __init__(self, function: Callable[..., object] | None, values: object) -> None:
        super().__init__([values])
        self.function = function
        self.functions = () if function is None else (function,)

    def known(self) -> bool:
        return False

    def __next__(self) -> Any:
        raise self.unknown_length()

    def indexed(self) -> Indexed:
        raise StagedIterationError(
            "what filter() leaves of a tensor has no places of its own: go over it with a `for` "
            "statement, and count or combine there",
            user_place(),
        )

    def course(self) -> Course:
        self._refuse_elsewhere()
        inner = super().indexed()

        def turn(hidden: Hidden) -> Turn:
            item = inner.at(hidden[0])
            kept = truth(item if self.function is None else self.function(item))
            return Turn(lambda: item, lambda: [rt.add(hidden[0], 1)], kept)

        functions = (*self.functions, *inner.functions)
        start = as_weak(rt.convert_to_tensor(self._position))
        return Course([start], lambda hidden: inner.has(hidden[0]), turn, functions)


def course_of(iterated: object) -> Course:
    """Return how to go over a range, the rows of a tensor, or an iterator over those.

    Raises:
        StagedIterationError: if `iterated` is a scalar, or an iterator that has gone elsewhere.
    """
    if isinstance(iterated, SymbolicRange):
        return course_over_range(iterated)
    if isinstance(iterated, StagedIterator):
        return iterated.course()
    return course_by_index(indexed_part(iterated, iterated))


def is_known(part: object) -> bool:
    """Tell whether Python can go over a part."""
    if isinstance(part, StagedIterator):
        return part.known()
    if is_tensor(part):
        return static_length(part) is not None
    return not (isinstance(part, StagedIterable) or is_run(part))


def can_be_indexed(part: object) -> bool:
    """Tell whether a staged loop can go over a part without losing what its items are."""
    return is_tensor(part) or isinstance(part, (StagedIterable, range))


def _left_of(count: Any, start: object) -> rt.Tensor:
    return rt.subtract(count_now(count), start)


def indexed_part(part: object, owner: object) -> Indexed:
    """Return the items of a part by index."""
    grown = staged_list(part)
    if grown is not None:
        live = LiveItems(grown, not isinstance(part, StagedView))
        return Indexed((live.length,), live.at)
    if isinstance(part, StagedIterator):
        return part.from_here()
    if is_tensor(part) or isinstance(part, SymbolicRange):
        return rows_of(part)
    if isinstance(part, (list, tuple, range)):
        numbers = all(type(item) in _NUMBERS for item in part)
        tensor = rt.convert_to_tensor(list(part))
        at: Any = rows_of(tensor).at
        return Indexed((len(part),), (lambda index: as_weak(at(index))) if numbers else at)
    raise StagedIterationError(
        f"{owner!r} is gone over by the graph, which cannot go over {kind_word(part)} objects: "
        "make a list or tensor of them first",
        user_place(),
    )
