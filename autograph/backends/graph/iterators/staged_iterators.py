"""Staged iterators: the results of `zip`, `enumerate`, `map`, `filter`, `reversed` and `iter`.

Each gives its items once. Python can iterate over one of known length, a staged `for` over any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, cycle, repeat
from typing import Any

import runtime as rt
from autograph.backends.graph.arrays.array_elements import as_operand
from autograph.backends.graph.containers.dict_views import StagedDictView
from autograph.backends.graph.control.conditional import staged_choice
from autograph.backends.graph.control.loop_source import (
    Hidden,
    Indexed,
    Iteration,
    LoopSource,
    current_count,
    indexed_rows,
    indexed_source,
    source_over_count,
    source_over_range,
)
from autograph.backends.graph.iterators.iterator_parts import (
    MutableItems,
    has_dynamic_length,
    is_in_try,
    is_tensor,
    iterator_of,
    restarts,
    staged_list,
)
from autograph.backends.graph.objects.object_contents import IteratorPosition, Positioned
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.iterator_consumption import is_seen
from autograph.backends.graph.values.infinite_ranges import CountRange, count_range
from autograph.backends.graph.values.iterables import (
    StagedIterable,
    SymbolicRange,
    as_weak,
    static_length,
)
from autograph.errors import StagedIterationError
from autograph.operators.call_listeners import is_within
from autograph.operators.user_classes import type_name
from runtime.core.context import current_recorder
from runtime.data.base_types import AnyDataset, AnyIterator
from runtime.ops.data.datasets import has_item, position_after
from runtime.ops.effects.checks import check

_MOST_ASKED = 200  # More single requests mean an endless iteration.
_NUMBERS = (bool, int, float)
AT_END = 2**31 - 1
_REMEDIES: dict[Any, str] = {
    count: "write count(...) where it is iterated over, and not in a variable before",
    cycle: "take its items by their place, as in `items[at % len(items)]`",
    repeat: "write the item in the body of the loop",
}


class StagedIterator(StagedIterable, Positioned):
    """An iterator over the items of one part, or of several in step.

    Args:
        parts: tensors, Variables, ranges, lists, datasets, or iterators.

    Attributes:
        name: the name of the builtin that creates it.
        functions: the user's functions that are called for the items.
    """

    name = "iter"
    # True if the iterator has an item for every index.
    is_indexed = True
    functions: tuple[Callable[..., object], ...] = ()
    # The number of single items that Python code has requested, although their number is unknown.
    _asked = 0

    def __init__(self, parts: Sequence[object]) -> None:
        parts = [elements_of(part) for part in parts]
        for part in parts:
            if is_tensor(part):
                static_length(part)  # raises the error for a scalar
            elif isinstance(part, StagedIterator):
                part.give_to(self)
                self.is_indexed = self.is_indexed and part.is_indexed
        self.parts = tuple(parts)
        self._graph = current_recorder()
        self.position = IteratorPosition()
        # Python's own iterator over the items, and the number of items it has given.
        self._items: Iterator[Any] | None = None
        self._given = 0
        self._owner: StagedIterator | None = None
        self._taken, self._is_begun = False, False
        self._iterations_in: Any = None

    def positions(self) -> tuple[object, ...]:
        """Return the objects that change when an item is taken."""
        return (self.position, self.functions, *self.parts)

    # -- by Python -----------------------------------------------------------------------------

    def known(self) -> bool:
        """Return whether Python can iterate over it: its position and all lengths are known."""
        is_here = current_recorder() is self._graph and self.position.at is self._given
        return is_here and all(map(can_iterate_in_python, self.parts))

    def python(self, parts: list[Iterator[Any]]) -> Iterator[Any]:
        """Return Python's iterator of the same kind over the parts."""
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
        self.position.at = self._given = self._given + 1
        return item

    def _next_staged(self) -> object:
        self.ask_once_more()
        indexed, position = self.indexed(), self._place()
        check(indexed.has(position), StopIteration, "")
        self.position.at = rt.add(position, 1)
        return indexed.at(position)

    def ask_once_more(self) -> None:
        """Count a request of Python code for an item.

        Raises:
            StagedIterationError: there are so many requests that the iteration seems endless.
        """
        self._asked += 1
        if self._asked > _MOST_ASKED:
            raise self.unknown_length()

    def item_or(self, default: object) -> object:
        """Return the next item, or `default` after the last."""
        self._refuse_elsewhere()
        if self.known():
            return next(self, default)
        indexed, position = self.indexed(), self._place()
        has_more = indexed.has(position)
        # An exhausted iterator over a list stays at its end, whatever is appended to the list.
        last = AT_END if any(map(has_dynamic_length, self.parts)) else position
        self.position.at = rt.where(has_more, rt.add(position, 1), last)
        taken = partial(lambda *called: indexed.at(position), *indexed.functions)
        return staged_choice(has_more, taken, lambda: default, "next(...)")

    # -- staged --------------------------------------------------------------------------------

    def items_at(self, parts: Sequence[Any]) -> object:
        """Return the item of this iterator for one item of each part."""
        return parts[0]

    def indexed(self) -> Indexed:
        """Return the items by index, from the beginning."""
        if self._items is not None and not all(map(restarts, self.parts)):
            raise self._moved("a part of it has been iterated over by Python")
        inner = [indexed_part(part, self) for part in self.parts]
        counts = tuple(count for each in inner for count in each.counts)
        functions = (*self.functions, *(f for each in inner for f in each.functions))
        return Indexed(
            counts, lambda index: self.items_at([each.at(index) for each in inner]), functions
        )

    def loop_source(self) -> LoopSource:
        """Return the loop source of its remaining items."""
        self._refuse_elsewhere()
        part = self.parts[0]
        if len(self.parts) == 1 and isinstance(part, StagedIterator) and not part.is_indexed:
            self._begin_only_once()
            return self.source_over(part.loop_source())
        source = indexed_source(self.indexed(), self.position.at, self._end_loop)
        return self._keeping_out(self._counting(source) if is_in_try() else source)

    def _counting(self, source: LoopSource) -> LoopSource:
        """Return a loop source that updates the position, for handlers around the loop."""

        def iteration(hidden: Hidden) -> Iteration:
            self.position.at = rt.add(hidden[0], 1)
            return source.iteration(hidden)

        return source._replace(iteration=iteration)

    def source_over(self, inner: LoopSource) -> LoopSource:
        """Return the loop source of this iterator, given that of its part, which drops items."""
        raise self.unknown_length()

    def _begin_only_once(self) -> None:
        """Refuse a second loop over an iterator that has no position."""
        if self._is_begun or current_recorder() is not self._graph:
            raise self._moved("its remaining items are known only when the graph runs")
        self._is_begun = True

    def _keeping_out(self, source: LoopSource) -> LoopSource:
        """Return a loop source in whose iterations no other code may take an item."""

        def iteration(hidden: Hidden) -> Iteration:
            self._iterations_in = current_recorder()
            return source.iteration(hidden)

        return source._replace(iteration=iteration)

    def _end_loop(self, hidden: Hidden) -> None:
        self.position.at = hidden[0]

    def _place(self) -> rt.Tensor:
        return rt.convert_to_tensor(self.position.at)

    def give_to(self, owner: StagedIterator) -> None:
        """Record the iterator that takes items from this one from now on."""
        self._refuse_elsewhere()
        if current_recorder() is not self._graph:
            raise self._moved(
                f"{owner!r} iterates over it in a branch or loop it was made outside of"
            )
        if self._owner not in (None, owner):
            raise self._moved(f"{self._owner!r} iterates over it already")
        self._owner = owner

    def remaining(self) -> Indexed:
        """Return the remaining items, by index, for the iterator that takes items from this one."""
        self._refuse_outside()
        self._taken = True
        indexed, start = self.indexed(), self.position.at
        if isinstance(start, int) and start == 0:
            return indexed
        counts = tuple(partial(_remaining_count, count, start) for count in indexed.counts)
        return Indexed(counts, lambda index: indexed.at(rt.add(index, start)), indexed.functions)

    def _refuse_elsewhere(self) -> None:
        if self._taken:
            raise self._moved(f"{self._owner!r} has iterated over it")
        if self._iterations_in is not None and is_within(current_recorder(), self._iterations_in):
            raise self._moved("a `for` iterates over it, and this is in its body")
        self._refuse_outside()

    def _refuse_outside(self) -> None:
        if not is_within(current_recorder(), self._graph):
            raise self._moved("it was made in a branch or loop that has ended")

    def _moved(self, why: str) -> StagedIterationError:
        return StagedIterationError(
            f"{self!r} cannot be iterated over here: {why}; use an index instead, as in `i += 1` "
            "and `x[i]`, or make an iterator of its own for each use",
            user_location(),
        )

    def __repr__(self) -> str:
        return f"{self.name}(...) over tensors"


class RowIterator(StagedIterator):
    """`iter(t)`: the rows of one tensor, or the items of one range or list."""


class DatasetIterator(StagedIterator):
    """`iter(dataset)`: its position is a variant, since a dataset has no element by index."""

    is_indexed = False

    def __init__(self, dataset: AnyDataset) -> None:
        super().__init__(())
        self.dataset: Any = dataset
        self.position.at = dataset.begin()

    def known(self) -> bool:
        return False

    def _next_staged(self) -> object:
        self.ask_once_more()
        place = self._place()
        check(self._has(place), StopIteration, "")
        self.position.at = self._after(place)
        return self._at(place)

    def _has(self, place: rt.Tensor) -> Any:
        return has_item(place)

    def _after(self, place: rt.Tensor) -> Any:
        return position_after(place)

    def _at(self, place: rt.Tensor) -> object:
        return self.dataset.element_at(place)

    def item_or(self, default: object) -> object:
        """Return the next element, or `default` after the last."""
        self._refuse_elsewhere()
        place = self._place()
        is_there = self._has(place)
        self.position.at = self._after(place)
        return staged_choice(is_there, partial(self._at, place), lambda: default, "next(...)")

    def indexed(self) -> Indexed:
        raise StagedIterationError(
            f"{self!r} gives one element after the other, which is not done here: use the methods "
            "of the dataset, such as zip, map and filter, or iterate over it with a `for` "
            "statement",
            user_location(),
        )

    def loop_source(self) -> LoopSource:
        """Return the loop source of its remaining items."""
        self._refuse_elsewhere()

        def iteration(hidden: Hidden) -> Iteration:
            (place,) = hidden
            return Iteration(lambda: self._at(place), lambda: [self._after(place)])

        source = LoopSource(
            [self._place()], lambda hidden: self._has(hidden[0]), iteration, (), self._end_loop
        )
        return self._keeping_out(source._replace(draws=True))

    def __repr__(self) -> str:
        return f"{self.name}({self.dataset!r})"


class SharedDatasetIterator(DatasetIterator):
    """A dataset iterator that other runs or other code advance, too.

    Its position is its own state, which changes at run time as a variable does.
    """

    def __init__(self, iterator: AnyIterator) -> None:
        StagedIterator.__init__(self, ())
        self.dataset = iterator

    def _next_staged(self) -> object:
        return self.dataset.get_next()

    def _has(self, place: rt.Tensor) -> Any:
        return self.dataset.has_next()

    def _after(self, place: rt.Tensor) -> Any:
        return place

    def _at(self, place: rt.Tensor) -> object:
        return self.dataset.get_next()


def elements_of(part: object) -> object:
    """Return the staged iterator of a dataset or dataset iterator; other values as operands."""
    if isinstance(part, AnyDataset):
        return DatasetIterator(part)
    return SharedDatasetIterator(part) if isinstance(part, AnyIterator) else as_operand(part)


def loop_source_of(iterated: object) -> LoopSource:
    """Return the loop source of a range, tensor, list or dataset, or of an iterator over those.

    Raises:
        StagedIterationError: if `iterated` is a scalar, an iterator in use elsewhere, or an object
            that the graph cannot iterate over.
    """
    if isinstance(iterated, SymbolicRange):
        return source_over_range(iterated)
    if isinstance(iterated, CountRange):
        return source_over_count(iterated)
    iterated = elements_of(iterated)
    if isinstance(iterated, StagedIterator):
        return iterated.loop_source()
    return indexed_source(indexed_part(iterated, iterated))


def can_iterate_in_python(part: object) -> bool:
    """Return whether Python can iterate over a part."""
    if isinstance(part, StagedIterator):
        return part.known()
    if is_tensor(part):
        return static_length(part) is not None
    of_datasets = (StagedIterable, AnyDataset, AnyIterator)
    return not (isinstance(part, of_datasets) or has_dynamic_length(part))


def _remaining_count(count: Any, start: Any) -> rt.Tensor:
    return rt.subtract(current_count(count), start)


def indexed_part(part: object, owner: object) -> Indexed:
    """Return the items of a part by index.

    Raises:
        StagedIterationError: if the graph cannot iterate over the part.
    """
    grown = staged_list(part)
    if grown is not None:
        live = MutableItems(grown, not isinstance(part, StagedDictView))
        return Indexed((live.length,), live.at)
    if isinstance(part, StagedIterator):
        return part.remaining()
    if is_tensor(part) or isinstance(part, SymbolicRange):
        return indexed_rows(part)
    if isinstance(part, (list, tuple, range)):
        numbers = all(type(item) in _NUMBERS for item in part)
        tensor = rt.convert_to_tensor(list(part))
        at: Any = indexed_rows(tensor).at
        return Indexed((len(part),), (lambda index: as_weak(at(index))) if numbers else at)
    is_users = is_seen(part, getattr(owner, "parts", None))
    numbers_on = None if is_users else count_range(part)
    if numbers_on is not None:
        first, step = numbers_on.first(), numbers_on.step
        return Indexed((), lambda index: rt.add(first, rt.multiply(index, step)))
    raise StagedIterationError(
        f"{owner!r} is iterated over by the graph, which cannot iterate over {type_name(part)} "
        f"objects: {_REMEDIES.get(type(part), 'make a list or tensor of them first')}",
        user_location(),
    )
