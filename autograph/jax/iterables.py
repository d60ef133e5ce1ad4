"""Values that a loop of `lax.scan` or `lax.while_loop` iterates over: rows, ranges, and both."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.tree_util import tree_leaves, tree_map

from autograph.errors import ContainerMutationError, StagedIterationError
from autograph.jax.aliases import ReadableContainers
from autograph.jax.forms import scalar
from autograph.jax.growing_lists import PreallocatedList, StackedList, rows_in
from autograph.jax.internals import InconclusiveDimensionOperation, SymbolicDimension, is_concrete
from autograph.jax.location import STACKS, location


class TracedIterable(ABC):
    """An iterable of a traced program.

    Attributes:
        length: the number of items: a dimension of a shape, or an array of which only a run knows
            the value.
    """

    length: Any

    @property
    def is_bounded(self) -> bool:
        """True if the trace knows the number of items."""
        return not isinstance(self.length, jax.Array)

    @property
    def most(self) -> int | None:
        """The most items that there can be; None if only a run knows."""
        return self.length if self.is_bounded else None

    def rows(self) -> Any:
        """Return a pytree of arrays with the items as rows, for `lax.scan`; only if bounded."""
        raise TypeError("the number of these items is known only when the program runs")

    def item(self, row: Any) -> Any:
        """Return the item for a row."""
        return row

    @abstractmethod
    def at(self, index: Any) -> Any:
        """Return the item at an index."""

    def __iter__(self) -> Iterator[Any]:
        if not self.is_bounded:
            raise StagedIterationError(
                "how many items this has is known only when the program runs, and Python iterates "
                "over it here: write a `for` statement",
                location(),
            )
        return (self.at(index) for index in range(self.length))


class Rows(TracedIterable):
    """The rows of an array, or of a pytree of arrays."""

    def __init__(self, arrays: Any) -> None:
        self._arrays = arrays
        first = tree_leaves(arrays)[0]
        if np.ndim(first) == 0:
            raise TypeError("iteration over a 0-d array")
        self.length = np.shape(first)[0]  # An int, or a symbolic dimension of `jax.export`.

    def rows(self) -> Any:
        """Return the arrays."""
        return self._arrays

    def at(self, index: Any) -> Any:
        """Return a row."""
        arrays = self._arrays
        if may_be_empty(self.length):  # JAX takes no row of such an array.
            arrays = tree_map(_with_blank_row, arrays)
        return tree_map(lambda each: each[index], arrays)


def _with_blank_row(array: Any) -> Any:
    return jnp.pad(array, ((0, 1), *((0, 0),) * (np.ndim(array) - 1)))


class Range(TracedIterable):
    """`range(start, stop, step)`; a bound may be a tracer.

    Its numbers have a weak type, as those of Python's range have.
    """

    def __init__(self, start: Any, stop: Any, step: Any = 1) -> None:
        self.start, self.stop, self.step = map(_as_integer, (start, stop, step))
        if isinstance(self.step, int) and self.step == 0:
            raise ValueError("range() arg 3 must not be zero")
        parts = (self.start, self.stop, self.step)
        if all(isinstance(each, int) for each in parts):
            self.length = len(range(self.start, self.stop, self.step))
        elif (self.start, self.step) == (0, 1) and isinstance(self.stop, SymbolicDimension):
            self.length = self.stop
        else:
            self.length = self._count()

    def _count(self) -> Any:
        is_zero = isinstance(self.start, int) and self.start == 0
        step, span = self.step, self.stop if is_zero else self.stop - self.start
        if isinstance(step, int):
            wide = span if step == 1 else -span if step == -1 else _ceil(span, step)
            return jnp.maximum(wide, 0)
        return jnp.maximum(_ceil(span, step), 0)

    def rows(self) -> Any:
        """Return the numbers as an array."""
        first = lax.iota(jnp.result_type(int), self.length)
        numbers = first if self.step == 1 else first * self.step
        return scalar(numbers if self.start == 0 else numbers + self.start, int)

    def at(self, index: Any) -> Any:
        """Return the number at an index."""
        if isinstance(self.step, int) and self.step == 1:
            offset = index
        else:
            offset = index * self.step
        return offset if isinstance(self.start, int) and self.start == 0 else self.start + offset

    def __contains__(self, value: Any) -> Any:
        raise TypeError("`in` of a range with traced bounds: compare with its bounds")


class TracedZip(TracedIterable):
    """`zip` of iterables."""

    def __init__(self, parts: list[TracedIterable]) -> None:
        self._parts = parts
        lengths = [each.length for each in parts]
        if not any(isinstance(each, jax.Array) for each in lengths):
            self.length = min(lengths, default=0)
        else:
            self.length = lengths[0]
            for each in lengths[1:]:
                self.length = jnp.minimum(self.length, each)

    @property
    def most(self) -> int | None:
        """The most items that the shortest part can have."""
        return min((part.most for part in self._parts if part.most is not None), default=None)

    def rows(self) -> Any:
        """Return the rows of each part."""
        return tuple(
            tree_map(lambda each: each[: self.length], part.rows())
            if part.length != self.length
            else part.rows()
            for part in self._parts
        )

    def item(self, row: Any) -> Any:
        """Return the items of all parts."""
        return tuple(part.item(each) for part, each in zip(self._parts, row))

    def at(self, index: Any) -> Any:
        """Return the items of all parts."""
        return tuple(part.at(index) for part in self._parts)


class TracedReversed(TracedIterable):
    """`reversed` of an iterable."""

    def __init__(self, items: TracedIterable) -> None:
        self._items, self.length = items, items.length

    @property
    def most(self) -> int | None:
        """The most items that the iterable can have."""
        return self._items.most

    def rows(self) -> Any:
        """Return the rows, the last one first."""
        return tree_map(lambda each: jnp.flip(each, 0), self._items.rows())

    def item(self, row: Any) -> Any:
        """Return an item."""
        return self._items.item(row)

    def at(self, index: Any) -> Any:
        """Return an item, counted from the end."""
        return self._items.at(self.length - 1 - index)


class TailItems(TracedIterable):
    """A traced iterable without its first item."""

    def __init__(self, items: TracedIterable) -> None:
        self._items, self.length = items, items.length - 1

    def rows(self) -> Any:
        """Return the rows after the first one."""
        return tree_map(lambda each: each[1:], self._items.rows())

    def item(self, row: Any) -> Any:
        """Return an item."""
        return self._items.item(row)

    def at(self, index: Any) -> Any:
        """Return an item, counted from the second one."""
        return self._items.at(index + 1)


class TracedMap(TracedIterable):
    """`map` of a function over an iterable."""

    def __init__(self, function: Any, items: TracedIterable) -> None:
        self._function, self._items, self.length = function, items, items.length

    @property
    def most(self) -> int | None:
        """The most items that the iterable can have."""
        return self._items.most

    def rows(self) -> Any:
        """Return the rows of the iterable."""
        return self._items.rows()

    def item(self, row: Any) -> Any:
        """Return the function's result."""
        return self._function(*self._items.item(row))

    def at(self, index: Any) -> Any:
        """Return the function's result."""
        return self._function(*self._items.at(index))


class _StackedItems(Rows):
    """The items of a list whose items are the rows of arrays; the loop may assign them."""

    def __init__(self, items: StackedList) -> None:
        super().__init__(items.stacked)
        self._items = items

    def rows(self) -> Any:
        """Return the arrays, and the place of each row."""
        return self._arrays, lax.iota(jnp.result_type(int), self.length)

    def item(self, row: Any) -> Any:
        """Return an item: the row, or the present item of the list in its place."""
        item, place = row
        if self._items.stacked is not self._arrays:
            return self.at(place)
        _record_iterated(self._items)
        return item

    def at(self, index: Any) -> Any:
        """Return an item."""
        if len(self._items) != self.length:
            raise length_changed(_name_of(self._items))
        _record_iterated(self._items)
        return tree_map(lambda each: each[index], self._items.stacked)


class _RoomyItems(TracedIterable):
    """The items of a list of a fixed capacity."""

    def __init__(self, items: PreallocatedList) -> None:
        self._items, self._length = items, items.length
        self.length = jnp.asarray(items.length)  # An int in a first iteration that is traced.

    @property
    def most(self) -> int | None:
        """The capacity of the list."""
        return rows_in(self._items.buffer)

    def at(self, index: Any) -> Any:
        """Return an item."""
        if self._items.length is not self._length:
            raise length_changed(_name_of(self._items))
        _record_iterated(self._items)
        return self._items.item_at(index)


def _record_iterated(items: Any) -> None:
    """Record that the innermost loop iterates over a list, which must not grow there."""
    if STACKS.loops:
        STACKS.loops[-1].iterated.append(items)


def _name_of(items: Any) -> str:
    return ReadableContainers(all_names=True).name_of(items) or "items"


def length_changed(name: str) -> ContainerMutationError:
    """Return the error for a list whose length changes while a loop iterates over it."""
    return ContainerMutationError(
        f"'{name}' changes its length while this loop iterates over it, and a loop of JAX has the "
        f"number of items from before: iterate by index, as in `while i < len({name})`",
        location(),
    )


def may_be_empty(length: Any) -> bool:
    """Return whether a length that `jax.export` leaves open may be 0: JAX has no such scan."""
    try:
        return isinstance(length, SymbolicDimension) and not length >= 1
    except InconclusiveDimensionOperation:
        return True


def items_of(value: Any) -> TracedIterable | None:
    """Return the iterable for a value; None if Python iterates over it.

    Raises:
        TypeError: it is an array without axes.
    """
    if isinstance(value, TracedIterable):
        return value
    if isinstance(value, StackedList):
        return _StackedItems(value)
    if isinstance(value, PreallocatedList):
        return _RoomyItems(value)
    if isinstance(value, range):
        return Range(value.start, value.stop, value.step)
    if isinstance(value, jax.Array):
        return Rows(value)
    return None


def _as_integer(value: Any) -> Any:
    if isinstance(value, jax.Array):
        if value.ndim or not jnp.issubdtype(value.dtype, jnp.integer):
            raise TypeError(f"'{value.dtype}' object cannot be interpreted as an integer")
        return int(value) if is_concrete(value) else value
    return value if isinstance(value, SymbolicDimension) else range(value).stop


def _ceil(span: Any, step: Any) -> Any:
    return -(-span // step)
