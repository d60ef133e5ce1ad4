"""Iterables of staged loops: ranges with tensor bounds, lengths of tensors, weak results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import runtime as rt
from autograph.backends.graph.source.source_location import user_location
from autograph.errors import StagedIterationError
from runtime.ops.effects.checks import check
from runtime.ops.effects.raising import raise_error
from runtime.ops.python.formatting import TemplateField, format_values

# The rest of a Python loop is unrolled if it is shorter than this.
_LONG = 32


class StagedIterable:
    """An iterable for a staged `for`; Python can iterate over it only if its length is known."""

    def __iter__(self) -> Iterator[Any]:
        raise self.unknown_length()

    def unknown_length(self) -> StagedIterationError:
        """Return the error for a use that needs the length while tracing."""
        return StagedIterationError(
            f"{self!r} can be iterated over only by a `for` statement of converted code, "
            "since its length is known only when the graph runs: make a tensor of it first",
            user_location(),
        )


class DynamicallySized(ABC):
    """A container whose number of items only the graph knows; its truth is whether it has any."""

    __slots__ = ()

    @abstractmethod
    def number_of_items(self) -> rt.Tensor:
        """Return the number of items, a scalar integer tensor."""


class SymbolicRange(DynamicallySized, StagedIterable):
    """`range(start, stop, step)` as a value of the graph, with bounds that a run may compute.

    Args:
        start, stop, step: scalar integer tensors or Python ints.

    Raises:
        StagedIterationError: if a bound is not a scalar integer.
        ValueError: if the step is 0; at run time, if it is a tensor.
    """

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.dtype = _range_dtype(start, stop, step)
        self.start, self.stop, self.step = start, stop, step
        if not isinstance(step, rt.Tensor):
            if step == 0:
                raise ValueError("range() arg 3 must not be zero")
        else:
            check(rt.not_equal(step, 0), ValueError, "range() arg 3 must not be zero")

    def tensor(self) -> rt.Tensor:
        """Return the numbers as a 1-D tensor."""
        return rt.range(self.start, self.stop, self.step, dtype=self.dtype)

    def __getitem__(self, index: Any) -> Any:
        is_part = isinstance(index, slice) and not isinstance(index.step, rt.Tensor)
        return self._part(index) if is_part else as_weak(self.tensor()[index])

    def _part(self, part: slice) -> SymbolicRange:
        """Return a slice of this range."""
        by = 1 if part.step is None else part.step
        if by == 0:
            raise ValueError("slice step cannot be zero")
        count = rt.cast(self.number_of_items(), self.dtype)
        lowest, highest = (0, count) if by > 0 else (-1, rt.subtract(count, 1))

        def inside(bound: Any, default: Any) -> Any:
            if bound is None:
                return default
            place: Any = rt.cast(bound, self.dtype)
            place = rt.where(rt.less(place, 0), rt.add(place, count), place)
            return rt.minimum(rt.maximum(place, lowest), highest)

        ends = (lowest, highest) if by > 0 else (highest, lowest)
        start, stop = map(inside, (part.start, part.stop), ends)
        first, step = rt.cast(self.start, self.dtype), rt.cast(self.step, self.dtype)
        begin, end = (rt.add(first, rt.multiply(place, step)) for place in (start, stop))
        return SymbolicRange(begin, end, self.step * by)

    def number_of_items(self) -> rt.Tensor:
        """Return the number of items, an int64 scalar."""
        return _count(*_wide(self))

    def __eq__(self, other: object) -> Any:
        """Return whether the numbers are the same, a scalar bool tensor."""
        if not isinstance(other, (range, SymbolicRange)):
            return NotImplemented
        return other is self or as_weak(_have_same_numbers(self, other))

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        if same is NotImplemented or isinstance(same, bool):
            return same if same is NotImplemented else not same
        return as_weak(rt.logical_not(same))

    def __hash__(self) -> int:
        raise StagedIterationError(
            f"{self!r} is used as a key of a dict or an item of a set, "
            "and its value is known only when the graph runs: keep a list",
            user_location(),
        )

    def index(self, value: Any) -> rt.Tensor:
        """Return the index of a number.

        Raises:
            ValueError: at run time, if the number is not in the range.
        """
        number = rt.convert_to_tensor(value)
        is_there = rt.reduce_any(rt.equal(self.tensor(), number))

        def place() -> rt.Tensor:
            return rt.floordiv(rt.subtract(rt.cast(number, self.dtype), self.start), self.step)

        def missing() -> rt.Tensor:
            words = format_values(
                (TemplateField(0, "", (), "python"), " is not in range"), [number]
            )
            raise_error(ValueError(words))
            return rt.constant(0, self.dtype)

        return as_weak(rt.cond(is_there, place, missing))

    def count(self, value: Any) -> rt.Tensor:
        """Return 1 for a number in the range, else 0."""
        return as_weak(rt.cast(rt.reduce_any(rt.equal(self.tensor(), value)), rt.int32))

    def __contains__(self, value: object) -> bool:
        raise StagedIterationError(
            f"whether {value} is in {self!r} is known only when the graph runs: "
            "compare it with the bounds",
            user_location(),
        )

    def __repr__(self) -> str:
        return f"range({self.start}, {self.stop}, {self.step})"


def _have_same_numbers(*ranges: SymbolicRange | range) -> rt.Tensor:
    """Return whether ranges are equal as sequences: the bounds of empty ranges do not matter."""
    wide = list(map(_wide, ranges))
    (first, _, step), (other_first, _, other_step) = wide
    count, other_count = (_count(*bounds) for bounds in wide)
    alike = rt.logical_or(rt.equal(step, other_step), rt.less(count, 2))
    alike = rt.logical_or(rt.logical_and(rt.equal(first, other_first), alike), rt.equal(count, 0))
    return rt.logical_and(rt.equal(count, other_count), alike)


def _wide(numbers: SymbolicRange | range) -> list[rt.Tensor]:
    return [rt.cast(each, rt.int64) for each in (numbers.start, numbers.stop, numbers.step)]


def _count(start: rt.Tensor, stop: rt.Tensor, step: rt.Tensor) -> rt.Tensor:
    distance = rt.where(rt.greater(step, 0), rt.subtract(stop, start), rt.subtract(start, stop))
    size = rt.abs(step)
    return rt.maximum(rt.floordiv(rt.subtract(rt.add(distance, size), 1), size), 0)


def remaining_range(items: Iterator[object]) -> SymbolicRange | None:
    """Return the remaining numbers of an iterator over a long range; None for anything else."""
    if type(items) is not type(iter(range(1))) or items.__length_hint__() < _LONG:  # type: ignore[attr-defined]
        return None
    taken_apart: Any = items.__reduce__()
    _, (numbers,), passed = taken_apart
    left = numbers[passed or 0 :]
    return SymbolicRange(left.start, left.stop, left.step)


def length(values: Any) -> Any:
    """Return `len(values)` of a tensor or range: a Python int where it is known, else a tensor.

    Raises:
        StagedIterationError: if `values` is a scalar.
    """
    if isinstance(values, SymbolicRange):
        return length(values.tensor())
    size = static_length(values)
    return as_weak(rt.shape(values)[0]) if size is None else size


def static_length(values: Any) -> int | None:
    """Return `len(values)` of a tensor or Variable where it is known, else None.

    Raises:
        StagedIterationError: if `values` is a scalar.
    """
    tensor = values if isinstance(values, rt.Tensor) else rt.convert_to_tensor(values)
    if tensor.shape.rank == 0 and tensor.dtype == rt.string and getattr(tensor, "weak", False):
        raise StagedIterationError(
            "the letters of a text that is known only when the graph runs cannot be iterated over: "
            "iterate over their places, as in `for i in range(len(s))`, and write s[i]",
            user_location(),
        )
    if tensor.shape.rank == 0 and tensor.dtype == rt.string:
        raise StagedIterationError(
            "a scalar string tensor has no rows to iterate over and no len(): "
            "write rt.strings.bytes_split(x) for its bytes "
            "and rt.strings.length(x) for their number",
            user_location(),
        )
    if tensor.shape.rank == 0:
        raise StagedIterationError(
            f"a scalar {tensor.dtype.name} tensor has no rows to iterate over and no len(): "
            "write `for i in range(n)` for a number of iterations",
            user_location(),
        )
    return None if tensor.shape.rank is None else tensor.shape[0]


def as_weak(tensor: rt.Tensor) -> rt.Tensor:
    """Return a weak tensor of the same value, which stands for a Python number."""
    if not isinstance(tensor, rt.SymbolicTensor) or tensor.weak:
        return tensor
    marked: rt.SymbolicTensor = rt.identity(tensor)  # type: ignore[assignment]
    marked.weak = True
    return marked


def _range_dtype(*bounds: object) -> rt.DType:
    dtype = rt.int32
    for bound in bounds:
        if not isinstance(bound, rt.Tensor):
            continue
        if not bound.dtype.is_integer or bound.shape.rank not in (0, None):
            instead = "range(len(x))" if bound.shape.rank else "rt.cast(n, rt.int32)"
            raise StagedIterationError(
                f"range() takes integers, not {bound.dtype.name} tensors of shape {bound.shape}: "
                f"write {instead}",
                user_location(),
            )
        if bound.dtype.size > dtype.size:
            dtype = bound.dtype
    return dtype
