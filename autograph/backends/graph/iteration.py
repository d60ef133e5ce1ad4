"""What a staged `for` can run over: ranges whose bounds are tensors, and rows of tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import runtime as rt
from autograph.backends.graph.places import user_place
from autograph.errors import StagedIterationError
from runtime.ops.io import check


class StagedIterable:
    """Something a staged `for` can go over and Python cannot, since its length is not known yet."""

    def __iter__(self) -> object:
        raise StagedIterationError(
            f"{self!r} can be gone over only by a `for` statement of converted code, since its "
            "length is known only when the graph runs: make a tensor of it first",
            user_place(),
        )


class SymbolicRange(StagedIterable):
    """`range(start, stop, step)` with at least one bound that is known only when the graph runs.

    Args:
        start, stop, step: scalar integer tensors or Python ints.

    Raises:
        StagedIterationError: if a bound is not a scalar integer.
    """

    def __init__(self, start: object, stop: object, step: object) -> None:
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

    def __repr__(self) -> str:
        return f"range({self.start}, {self.stop}, {self.step})"


@dataclass(frozen=True)
class Course:
    """How to go over something by an index.

    Attributes:
        first: the first index, a scalar tensor.
        more: `more(index)` -> whether there is an item at `index`.
        item: `item(index)` -> the item there.
        following: `following(index)` -> the next index.
    """

    first: rt.Tensor
    more: Callable[[rt.Tensor], rt.Tensor]
    item: Callable[[rt.Tensor], object]
    following: Callable[[rt.Tensor], rt.Tensor]


class Zipped(StagedIterable):
    """`zip(a, b, ...)` over rows of tensors, as long as the shortest.

    Args:
        parts: tensors, ranges over tensors, or lists of numbers.
    """

    def __init__(self, parts: Sequence[object]) -> None:
        self.parts = [_rows_of(part) for part in parts]

    def __repr__(self) -> str:
        return "zip(...) over tensors"


class Enumerated(StagedIterable):
    """`enumerate(values, start)` over what a staged `for` can go over."""

    def __init__(self, values: object, start: object = 0) -> None:
        self.values, self.start = values, start

    def __repr__(self) -> str:
        return "enumerate(...) over a tensor"


def course_of(iterated: object) -> Course:
    """Return how to go over a range, over the rows of a tensor, or a zip of those.

    Raises:
        StagedIterationError: if `iterated` is a scalar.
    """
    if isinstance(iterated, SymbolicRange):
        return _over_range(iterated)
    if isinstance(iterated, Zipped):
        return _over_rows_of(iterated.parts, tuple)
    if isinstance(iterated, Enumerated):
        return _counted(iterated)
    return _over_rows_of([rt.convert_to_tensor(iterated)], _only)


def _over_range(numbers: SymbolicRange) -> Course:
    dtype, stop, step = numbers.dtype, numbers.stop, numbers.step
    first = _first_number(numbers.start, dtype)

    def more(index: rt.Tensor) -> rt.Tensor:
        if not isinstance(step, rt.Tensor):
            return rt.less(index, stop) if step > 0 else rt.greater(index, stop)  # type: ignore[operator]
        rising = rt.logical_and(rt.greater(step, 0), rt.less(index, stop))
        return rt.logical_or(rising, rt.logical_and(rt.less(step, 0), rt.greater(index, stop)))

    return Course(first, more, lambda index: index, lambda index: rt.add(index, step))


def _first_number(start: object, dtype: rt.DType) -> rt.Tensor:
    # The numbers of a Python range are Python ints: they adapt to the tensors they meet.
    is_tensor = isinstance(start, rt.Tensor)
    return as_weak(rt.cast(start, dtype) if is_tensor else rt.constant(start, dtype))


def _over_rows_of(
    parts: Sequence[rt.Tensor], together: Callable[[list[rt.Tensor]], object]
) -> Course:
    counts = [length(part) for part in parts]

    def more(index: rt.Tensor) -> rt.Tensor:
        checks = [rt.less(index, count) for count in counts]
        return reduce(rt.logical_and, checks)

    def item(index: rt.Tensor) -> object:
        return together([rt.gather(part, index) for part in parts])

    return Course(as_weak(rt.constant(0)), more, item, lambda index: rt.add(index, 1))


def _counted(numbered: Enumerated) -> Course:
    inner = course_of(numbered.values)
    if isinstance(numbered.values, (SymbolicRange, Enumerated)):
        inner = course_of(_rows_of(numbered.values))

    def item(index: rt.Tensor) -> object:
        return (rt.add(index, numbered.start), inner.item(index))

    return Course(inner.first, inner.more, item, inner.following)


def _only(items: list[rt.Tensor]) -> object:
    return items[0]


def _rows_of(part: object) -> rt.Tensor:
    if isinstance(part, SymbolicRange):
        return part.tensor()
    if isinstance(part, StagedIterable):
        raise StagedIterationError(
            f"{part!r} cannot be an argument here: zip the tensors themselves", user_place()
        )
    return rt.convert_to_tensor(list(part) if isinstance(part, range) else part)


def length(values: object) -> object:
    """Return `len(values)` of a tensor or range: a Python int where it is known, else a tensor.

    Raises:
        StagedIterationError: if `values` is a scalar.
    """
    if isinstance(values, SymbolicRange):
        return length(values.tensor())
    tensor = rt.convert_to_tensor(values)
    if tensor.shape.rank == 0:
        raise StagedIterationError(
            f"a scalar {tensor.dtype.name} tensor has no rows to go over and no len(): for a "
            "number of turns write `for i in range(n)`",
            user_place(),
        )
    size = None if tensor.shape.rank is None else tensor.shape[0]
    return as_weak(rt.shape(tensor)[0]) if size is None else size


def as_weak(tensor: rt.Tensor) -> rt.Tensor:
    """Return a tensor of the same value that stands for a Python number."""
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
            raise StagedIterationError(
                f"range() takes scalar integers, not a {bound.dtype.name} tensor of shape "
                f"{bound.shape}: write rt.cast(n, rt.int32) for a number",
                user_place(),
            )
        if bound.dtype.size > dtype.size:
            dtype = bound.dtype
    return dtype
