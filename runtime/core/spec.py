"""`TensorSpec`: the shape and dtype of a tensor without its value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, SupportsIndex

import numpy as np

from runtime.core.dtypes import DType, DTypeLike, as_dtype, dtype_of_array, float32
from runtime.core.shapes import ShapeLike, TensorShape, as_shape
from runtime.errors import DTypeError


class HasShape(Protocol):
    """A value with a shape and a dtype: a tensor, an array, a variable, a spec."""

    @property
    def shape(self) -> Iterable[SupportsIndex | None]: ...
    @property
    def dtype(self) -> DTypeLike: ...


class TensorSpec:
    """A shape (dimensions or the rank may be unknown), a dtype and perhaps a name; frozen.

    It is not a dataclass, so that `nest` treats it as a leaf.

    >>> TensorSpec((2, None), "int32", name="x")
    TensorSpec(shape=(2, None), dtype=rt.int32, name='x')
    """

    __slots__ = ("dtype", "name", "shape")

    shape: TensorShape
    dtype: DType
    name: str | None

    def __init__(
        self, shape: ShapeLike | None = None, dtype: DTypeLike = float32, name: str | None = None
    ) -> None:
        _set(self, "shape", as_shape(shape))
        _set(self, "dtype", as_dtype(dtype))
        _set(self, "name", name)

    @classmethod
    def of_array(cls, array: np.ndarray[Any, Any]) -> TensorSpec:
        """Return the exact spec of an array of the runtime."""
        return cls(TensorShape.of(array.shape), dtype_of_array(array))

    @classmethod
    def from_tensor(cls, tensor: HasShape, name: str | None = None) -> TensorSpec:
        """Return the spec of a tensor (or of anything with `shape` and `dtype`)."""
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: HasShape, name: str | None = None) -> TensorSpec:
        """Return the spec of a value that has `shape` and `dtype`."""
        return cls.from_tensor(spec, name)

    @property
    def rank(self) -> int | None:
        """The number of axes; None if it is unknown."""
        return self.shape.rank

    def with_shape(self, shape: ShapeLike | None) -> TensorSpec:
        """Return an unnamed spec of the same dtype and another shape."""
        return TensorSpec(shape, self.dtype)

    def with_dtype(self, dtype: DTypeLike) -> TensorSpec:
        """Return an unnamed spec of the same shape and another dtype."""
        return TensorSpec(self.shape, dtype)

    def unnamed(self) -> TensorSpec:
        """Return this spec without its name."""
        return self if self.name is None else TensorSpec(self.shape, self.dtype)

    def is_compatible_with(self, spec_or_tensor: HasShape) -> bool:
        """Return whether a tensor, array or spec could be described by this spec."""
        dtype, shape = as_dtype(spec_or_tensor.dtype), spec_or_tensor.shape
        return self.dtype == dtype and self.shape.is_compatible_with(shape)

    def contains(self, other: HasShape) -> bool:
        """Return whether everything `other` allows is allowed by this spec too."""
        return self.dtype == as_dtype(other.dtype) and self.shape.contains(other.shape)

    def join(self, other: TensorSpec) -> TensorSpec:
        """Return the narrowest spec that allows both; DTypeError when the dtypes differ.

        >>> TensorSpec((2,)).join(TensorSpec((3,)))
        TensorSpec(shape=(None,), dtype=rt.float32, name=None)
        """
        if not isinstance(other, TensorSpec):
            raise DTypeError(
                f"a TensorSpec can be joined only with a TensorSpec, not with {other!r}"
            )
        if self.dtype is not other.dtype:
            raise DTypeError(f"dtypes {self.dtype.name} and {other.dtype.name} cannot be joined")
        name = self.name if self.name == other.name else None
        return TensorSpec(self.shape.join(other.shape), self.dtype, name)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a TensorSpec is frozen; make another one")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorSpec):
            return NotImplemented
        return self.dtype is other.dtype and self.shape == other.shape and self.name == other.name

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype, self.name))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorSpec, (self.shape.dims, self.dtype, self.name)


_set = object.__setattr__
