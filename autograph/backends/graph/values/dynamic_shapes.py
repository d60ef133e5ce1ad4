"""`x.shape` in converted code, with dimensions that are known only at run time.

    positive = xs[xs > 0]
    positive.shape[0]           rt.shape(positive)[0]: it adapts as the int would
    positive.shape == (0,)      a scalar bool tensor
    f"{positive.shape}"         a text with the sizes at run time

Unconverted code gets the static shape, with None for such a dimension.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import runtime as rt
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.iterables import as_weak
from autograph.backends.graph.values.truth import as_python_bool
from autograph.errors import StagingError


@dataclass(slots=True, eq=False, repr=False)
class DynamicSize:
    """One dimension of a tensor, computed at run time where it is used."""

    tensor: rt.Tensor
    at: int

    def read(self) -> rt.Tensor:
        """Return the size as a tensor that stands for an int."""
        return as_weak(rt.shape(self.tensor)[self.at])


class ShapeReader:
    """A substitute for a tensor where code reads the attribute `shape`."""

    __slots__ = ("shape",)

    def __init__(self, tensor: rt.Tensor) -> None:
        dims = tensor.shape.dims
        sizes = [
            DynamicSize(tensor, at) if dim is None else dim for at, dim in enumerate(dims or ())
        ]
        self.shape = DynamicShape(tensor, None if dims is None else tuple(sizes))


class DynamicShape(rt.TensorShape):
    """The shape of a tensor, or one computed from shapes, with unknown dimensions.

    Args:
        tensor: the tensor.
        sizes: the dimensions; None if the rank is unknown.
    """

    __slots__ = ("_sizes", "_tensor")

    def __init__(self, tensor: rt.Tensor, sizes: tuple[int | DynamicSize, ...] | None) -> None:
        known = [None if isinstance(each, DynamicSize) else each for each in sizes or ()]
        super().__init__(None if sizes is None else known)
        self._tensor, self._sizes = tensor, sizes

    def __getitem__(self, key: Any) -> Any:
        if self._sizes is None:
            if isinstance(key, slice):
                raise _unknown_rank()
            return as_weak(rt.shape(self._tensor)[key])
        if isinstance(key, slice):
            return self._made(self._sizes[key])
        if isinstance(key, rt.Tensor):
            return as_weak(rt.stack(list(self))[key])
        size = self._sizes[key]
        return size.read() if isinstance(size, DynamicSize) else size

    def _made(self, sizes: tuple[int | DynamicSize, ...]) -> rt.TensorShape:
        is_open = any(isinstance(each, DynamicSize) for each in sizes)
        return DynamicShape(self._tensor, sizes) if is_open else rt.TensorShape(sizes)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, (list, tuple, rt.TensorShape)):
            return super().__eq__(other)
        if self._sizes is None or (isinstance(other, rt.TensorShape) and other.rank is None):
            raise _unknown_rank()
        if len(self) != len(other):
            return False
        return _all([a == b for a, b in zip(self, other)])

    def __ne__(self, other: object) -> Any:
        same = self == other
        return as_python_bool(rt.logical_not(same)) if isinstance(same, rt.Tensor) else not same

    __hash__ = rt.TensorShape.__hash__

    def __contains__(self, size: object) -> Any:
        raise StagingError(
            f"whether {size} is in the shape of a tensor is known only when the graph runs: "
            "compare the dimensions, as in x.shape[0] == n",
            user_location(),
        )

    def shown_parts(self) -> dict[str, rt.Tensor]:
        """Return the tensor, of which the text of this shape shows the sizes."""
        return {} if self._sizes is None else {"tensor": self._tensor}

    def listed(self) -> list[int | DynamicSize]:
        """Return the dimensions; an empty list if the rank is unknown."""
        return list(self._sizes or ())

    def __lt__(self, other: object) -> Any:
        raise StagingError(
            "which of two shapes comes first is known only when the graph runs: "
            "compare the dimensions, as in x.shape[0] < n",
            user_location(),
        )

    __le__ = __gt__ = __ge__ = __lt__

    def concatenate(self, other: Any) -> Any:
        """Return this shape followed by the other's dimensions."""
        return self._made((*self._known_sizes(), *_sizes_of(other)))

    __add__ = concatenate

    def __radd__(self, other: Any) -> Any:
        return self._made((*_sizes_of(other), *self._known_sizes()))

    def _known_sizes(self) -> tuple[int | DynamicSize, ...]:
        if self._sizes is None:
            raise _unknown_rank()
        return self._sizes


def shaped(value: object) -> object:
    """Return the object whose attribute `shape` is read in place of that of a value."""
    is_open = isinstance(value, rt.SymbolicTensor) and not value.shape.is_fully_defined()
    return ShapeReader(value) if is_open else value  # type: ignore[arg-type]


def _all(answers: list[Any]) -> Any:
    if any(answer is False for answer in answers):
        return False
    asked = [answer for answer in answers if answer is not True]
    return as_python_bool(reduce(rt.logical_and, asked)) if asked else True


def _sizes_of(shape: Any) -> tuple[int | DynamicSize, ...]:
    if isinstance(shape, DynamicShape):
        return shape._known_sizes()
    return tuple(rt.TensorShape(shape).as_list())  # type: ignore[arg-type]


def _unknown_rank() -> StagingError:
    return StagingError(
        "how many dimensions this tensor has is known only when the graph runs: "
        "give it its shape with rt.ensure_shape or rt.reshape, or ask for rt.shape(x)",
        user_location(),
    )
