"""What Python could not go over: ranges whose bounds are tensors, and what has such a length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import runtime as rt
from autograph.backends.graph.places import user_place
from autograph.errors import StagedIterationError
from runtime.ops.io import check

# The rest of a Python loop is unrolled where it is shorter.
_LONG = 32


class StagedIterable:
    """Something a staged `for` can go over, and Python only if its length is known by then."""

    def __iter__(self) -> Iterator[Any]:
        raise self.unknown_length()

    def unknown_length(self) -> StagedIterationError:
        """Return the error for a use that needs the length while tracing."""
        return StagedIterationError(
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

    def __getitem__(self, index: object) -> rt.Tensor:
        return as_weak(self.tensor()[index])

    def __contains__(self, value: object) -> bool:
        raise StagedIterationError(
            f"whether {value} is in {self!r} is known only when the graph runs: compare it with "
            "the bounds",
            user_place(),
        )

    def __repr__(self) -> str:
        return f"range({self.start}, {self.stop}, {self.step})"


def numbers_left(items: Iterator[object]) -> SymbolicRange | None:
    """Return what an iterator over a range has left, if that is long; None for anything else."""
    if type(items) is not type(iter(range(1))) or items.__length_hint__() < _LONG:  # type: ignore[attr-defined]
        return None
    taken_apart: Any = items.__reduce__()
    _, (numbers,), passed = taken_apart
    left = numbers[passed or 0 :]
    return SymbolicRange(left.start, left.stop, left.step)


def length(values: object) -> object:
    """Return `len(values)` of a tensor or range: a Python int where it is known, else a tensor.

    Raises:
        StagedIterationError: if `values` is a scalar.
    """
    if isinstance(values, SymbolicRange):
        return length(values.tensor())
    size = static_length(values)
    return as_weak(rt.shape(values)[0]) if size is None else size


def static_length(values: object) -> int | None:
    """Return `len(values)` of a tensor or Variable where it is known, else None.

    Raises:
        StagedIterationError: if `values` is a scalar.
    """
    tensor = values if isinstance(values, rt.Tensor) else rt.convert_to_tensor(values)
    if tensor.shape.rank == 0:
        raise StagedIterationError(
            f"a scalar {tensor.dtype.name} tensor has no rows to go over and no len(): write "
            "`for i in range(n)` for a number of turns",
            user_place(),
        )
    return None if tensor.shape.rank is None else tensor.shape[0]


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
