"""Static shapes: the dimensions of a tensor that are known before it has a value."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, SupportsIndex, overload

from runtime.errors import DTypeError, OutOfBoundsError, ShapeError, SymbolicTensorError

Dims = tuple[int | None, ...] | None
"""Dimensions, each an int or None (unknown); None instead of a tuple if the rank is unknown."""


ShapeLike = SupportsIndex | Iterable[SupportsIndex | None]
"""Dimensions, in a TensorShape, a list, a tuple, an array or a tensor; an int for one of them."""

AxisLike = SupportsIndex | Sequence[SupportsIndex]
"""One axis, or several; an array and a tensor are among them."""

Ints = SupportsIndex | Sequence[SupportsIndex]
"""One int, or several, such as a step along each axis."""


class TensorShape:
    """A tuple of dimensions, any of which may be None; the rank may be unknown too.

    >>> print(TensorShape([2, None]), TensorShape(None))
    (2, None) <unknown>
    """

    __slots__ = ("_dims",)

    _dims: Dims

    def __init__(self, dims: Any = None) -> None:
        self._dims = _checked(dims)

    @classmethod
    def of(cls, dims: Dims) -> TensorShape:
        """Wrap valid dimensions (or None) without checks."""
        shape = object.__new__(cls)
        shape._dims = dims
        return shape

    @property
    def dims(self) -> Dims:
        """The dimensions as a tuple, or None when the rank is unknown."""
        return self._dims

    @property
    def rank(self) -> int | None:
        """The number of axes; None if it is unknown."""
        return None if self._dims is None else len(self._dims)

    ndims = rank

    def as_list(self) -> list[int | None]:
        """Return the dimensions as a list; ValueError when the rank is unknown."""
        return list(self._known())

    def is_fully_defined(self) -> bool:
        """True if the rank and all sizes are known."""
        return self._dims is not None and None not in self._dims

    def num_elements(self) -> int | None:
        """Return the number of elements, or None when a dimension or the rank is unknown."""
        if self._dims is None:
            return None
        count = 1
        for dim in self._dims:
            if dim is None:
                return None
            count *= dim
        return count

    def is_compatible_with(self, other: Any) -> bool:
        """Return whether some array could have both shapes."""
        a, b = self._dims, as_shape(other)._dims
        if a is None or b is None:
            return True
        return len(a) == len(b) and all(
            x is None or y is None or x == y for x, y in zip(a, b, strict=True)
        )

    def contains(self, array_shape: Any) -> bool:
        """Return whether every array of `array_shape` also has this shape.

        >>> TensorShape([None, 2]).contains((5, 2)), TensorShape([3]).contains((None,))
        (True, False)
        """
        a, b = self._dims, as_shape(array_shape)._dims
        if a is None:
            return True
        if b is None or len(a) != len(b):
            return False
        return all(x is None or x == y for x, y in zip(a, b, strict=True))

    def fits(self, sizes: tuple[int, ...]) -> bool:
        """Return whether an array of these sizes has this shape: `contains` for a tuple of ints.

        >>> TensorShape([None, 2]).fits((5, 2)), TensorShape([3]).fits((3, 1))
        (True, False)
        """
        if type(sizes) is not tuple:
            return self.contains(sizes)
        dims = self._dims
        if dims is None or dims == sizes:
            return True
        if len(dims) != len(sizes):
            return False
        for dim, size in zip(dims, sizes):
            if dim is not None and dim != size:
                return False
        return True

    def merge(self, other: Any) -> TensorShape:
        """Return the shape that fits both shapes; ShapeError when there is none.

        >>> print(TensorShape([None, 2]).merge([3, None]))
        (3, 2)
        """
        other = as_shape(other)
        if not self.is_compatible_with(other):
            raise ShapeError(f"shapes {self} and {other} contradict each other")
        a, b = self._dims, other._dims
        if a is None or b is None:
            return other if a is None else self
        return TensorShape.of(tuple(y if x is None else x for x, y in zip(a, b, strict=True)))

    merge_with = merge

    def join(self, other: Any) -> TensorShape:
        """Return the narrowest shape that allows both: unequal dimensions become None.

        >>> print(TensorShape([3, 2]).join([4, 2]), TensorShape([1]).join([]))
        (None, 2) <unknown>
        """
        a, b = self._dims, as_shape(other)._dims
        if a is None or b is None or len(a) != len(b):
            return UNKNOWN
        return TensorShape.of(tuple(x if x == y else None for x, y in zip(a, b, strict=True)))

    most_specific_compatible_shape = join

    def broadcast(self, other: Any) -> TensorShape:
        """Return the shape two operands broadcast to; ShapeError when they do not.

        >>> print(TensorShape([None, 1]).broadcast([3]))
        (None, 3)
        """
        a, b = self._dims, as_shape(other)._dims
        if a == b:
            return self if a is None or None not in a else TensorShape.of(a)
        if a is None or b is None:
            return UNKNOWN
        long, short = (a, b) if len(a) >= len(b) else (b, a)
        padded = (1,) * (len(long) - len(short)) + short
        try:
            return TensorShape.of(tuple(map(_broadcast_dim, long, padded)))
        except ValueError:
            message = f"shapes {self} and {as_shape(other)} do not broadcast"
            raise ShapeError(message) from None

    def broadcasts_to(self, target: Any) -> bool:
        """Return whether a tensor of this shape could be broadcast to shape `target`.

        >>> TensorShape([1, 2]).broadcasts_to([5, 2]), TensorShape([3]).broadcasts_to([1])
        (True, False)
        """
        target = as_shape(target)
        try:
            return target.is_compatible_with(self.broadcast(target))
        except ShapeError:
            return False

    def concatenate(self, other: Any) -> TensorShape:
        """Return this shape followed by the other's dimensions."""
        a, b = self._dims, as_shape(other)._dims
        return UNKNOWN if a is None or b is None else TensorShape.of(a + b)

    __add__ = concatenate

    def __radd__(self, other: Any) -> TensorShape:
        return as_shape(other).concatenate(self)

    def with_rank(self, rank: int) -> TensorShape:
        """Return this shape with `rank` dimensions; ShapeError if its rank differs."""
        return self.merge(TensorShape.of((None,) * rank))

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """Return this shape; ShapeError when it is known to have fewer than `rank` dimensions."""
        if self.rank is not None and self.rank < rank:
            raise ShapeError(f"shape {self} must have a rank of at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """Return this shape; ShapeError when it is known to have more than `rank` dimensions."""
        if self.rank is not None and self.rank > rank:
            raise ShapeError(f"shape {self} must have a rank of at most {rank}")
        return self

    def assert_has_rank(self, rank: int) -> None:
        """Raise a ShapeError if this shape is known to have another rank."""
        if self.rank not in (None, rank):
            raise ShapeError(f"shape {self} must have rank {rank}")

    def assert_same_rank(self, other: Any) -> None:
        """Raise a ShapeError when both ranks are known and differ."""
        rank = as_shape(other).rank
        if None not in (self.rank, rank) and self.rank != rank:
            raise ShapeError(f"shapes {self} and {as_shape(other)} must have the same rank")

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise a ShapeError when no array could have both shapes."""
        if not self.is_compatible_with(other):
            raise ShapeError(f"shapes {self} and {as_shape(other)} are incompatible")

    def assert_is_fully_defined(self) -> None:
        """Raise a ShapeError if a dimension or the rank is unknown."""
        if not self.is_fully_defined():
            raise ShapeError(f"shape {self} is not fully known")

    def is_subtype_of(self, other: Any) -> bool:
        """Return whether every array of this shape also has the other."""
        return as_shape(other).contains(self)

    def __len__(self) -> int:
        return len(self._known())

    def __iter__(self) -> Iterator[int | None]:
        return iter(self._known())

    @overload
    def __getitem__(self, key: int) -> int | None: ...
    @overload
    def __getitem__(self, key: slice) -> TensorShape: ...
    def __getitem__(self, key: int | slice) -> int | None | TensorShape:
        if self._dims is None:
            return _unknown_part(key) if isinstance(key, slice) else None
        try:
            found = self._dims[key]
        except IndexError:
            axes = "1 axis" if len(self._dims) == 1 else f"{len(self._dims)} axes"
            raise OutOfBoundsError(f"shape {self} has {axes}, and no axis {key}") from None
        return TensorShape.of(found) if isinstance(found, tuple) else found

    def __bool__(self) -> bool:
        return self._dims is not None

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TensorShape):
            return self._dims == other._dims
        if other is None or isinstance(other, (list, tuple)):
            return self._dims == (None if other is None else tuple(other))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._dims)

    def __str__(self) -> str:
        return "<unknown>" if self._dims is None else str(self._dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self._dims is None else list(self._dims)})"

    def _known(self) -> tuple[int | None, ...]:
        if self._dims is None:
            raise ShapeError("the rank is unknown: this shape has no list of dimensions")
        return self._dims


UNKNOWN = TensorShape.of(None)
SCALAR = TensorShape.of(())


def as_shape(value: Any) -> TensorShape:
    """Return `value` as a TensorShape; None is an unknown shape, an int a single dimension."""
    return value if isinstance(value, TensorShape) else TensorShape(value)


def merge(a: Any, b: Any) -> TensorShape:
    """Return the shape of a value that has both shapes; see `TensorShape.merge`."""
    return as_shape(a).merge(b)


def join(a: Any, b: Any) -> TensorShape:
    """Return the narrowest shape that allows both; see `TensorShape.join`."""
    return as_shape(a).join(b)


def broadcast(a: Any, b: Any) -> TensorShape:
    """Return the shape two operands broadcast to; see `TensorShape.broadcast`."""
    return as_shape(a).broadcast(b)


def _unknown_part(key: slice) -> TensorShape:
    """Return a slice of a shape of unknown rank: its length is known if both ends are."""
    start, stop = key.start or 0, key.stop
    if stop is None or key.step not in (None, 1) or start < 0 or stop < 0:
        return UNKNOWN
    return TensorShape.of((None,) * max(0, stop - start))


def _broadcast_dim(x: int | None, y: int | None) -> int | None:
    if x == y or y == 1:
        return x
    if x == 1:
        return y
    if x is None or y is None:
        return y if x is None else x
    raise ValueError


def _checked(dims: Any) -> Dims:
    if dims is None:
        return None
    if isinstance(dims, TensorShape):
        return dims._dims
    if isinstance(dims, (str, bytes, bytearray)):
        raise DTypeError(f"a shape must be ints, not the string {dims!r}"[:100])
    if isinstance(dims, Iterable) and getattr(dims, "ndim", None) != 0:
        return tuple(_dimension(dim) for dim in dims)
    return (_dimension(dims),)


def _dimension(dim: Any) -> int | None:
    if dim is None:
        return None
    try:
        size = -1 if isinstance(dim, bool) else operator.index(dim)
    except SymbolicTensorError:
        raise
    except TypeError:
        raise DTypeError(f"a dimension must be None or an int of at least 0, not {dim!r}") from None
    if size < 0:
        raise ShapeError(f"a dimension must be None or an int of at least 0, not {dim!r}")
    return int(size)
