"""`IndexedSlices`: rows of a larger tensor whose other rows are zero."""

from __future__ import annotations

from runtime.core.context import current_recorder
from runtime.core.dtypes import DType, int32
from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops.arrays.scatter import scatter_nd
from runtime.ops.convert import to_tensor
from runtime.ops.infer import check_integer
from runtime.ops.literals import is_empty
from runtime.ops.op import REGISTRY, apply


class IndexedSlices:
    """A sparse tensor of rows: `values[i]` at `indices[i]`; rows with the same index add up.

    It converts to a tensor of `dense_shape`, with zeros in the other rows.

    Args:
        values: the rows, or one number for all `indices` in a `scatter_` method.
        indices: integers, one for each row.
        dense_shape: a vector, the shape of the whole tensor, if known.

    Raises:
        DTypeError: the indices are not integers.

    Example:
        >>> rows = IndexedSlices([[1.0, 2.0]], [1], dense_shape=[3, 2])
        >>> print(to_tensor(rows))
        rt.Tensor(
        [[0. 0.]
         [1. 2.]
         [0. 0.]], shape=(3, 2), dtype=float32)
    """

    __slots__ = ("_dense_shape", "_indices", "_values")

    def __init__(
        self, values: TensorLike, indices: TensorLike, dense_shape: TensorLike | None = None
    ) -> None:
        self._values = to_tensor(values)
        self._indices = to_tensor(indices, int32 if is_empty(indices) else None)
        self._dense_shape = None if dense_shape is None else to_tensor(dense_shape)
        check_integer(self._indices.spec, "indices")
        if self._dense_shape is not None:
            check_integer(self._dense_shape.spec, "dense_shape")

    @property
    def values(self) -> Tensor:
        """The rows."""
        return self._values

    @property
    def indices(self) -> Tensor:
        """The positions of the slices in the whole tensor."""
        return self._indices

    @property
    def dense_shape(self) -> Tensor | None:
        """The shape of the whole tensor as a tensor, None if it is unknown."""
        return self._dense_shape

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """The known shape of the whole."""
        if self._dense_shape is None:
            return UNKNOWN
        node = getattr(self._dense_shape, "node", None)
        if node is None:
            return TensorShape(self._dense_shape._array.tolist())  # type: ignore[attr-defined]
        rank = self._dense_shape.shape[0]
        return UNKNOWN if rank is None else TensorShape.of((None,) * rank)

    @property
    def name(self) -> str | None:
        """The name of the values in the graph; None for an eager tensor."""
        return self._values.name

    @property
    def device(self) -> str:
        """The device of the values."""
        return self._values.device

    def get_shape(self) -> TensorShape:
        """Return the static shape of the whole tensor."""
        return self.shape

    def __rt_tensor__(self) -> Tensor:
        if self._dense_shape is None:
            raise ArgumentValueError(
                "IndexedSlices without a dense_shape cannot become a tensor: give it, as in "
                "rt.IndexedSlices(values, indices, dense_shape=rt.shape(x))"
            )
        if self._indices.shape.rank not in (None, 1):
            raise ShapeError(f"indices must be a vector, not of shape {self._indices.shape}")
        column = apply(REGISTRY["expand_dims"], (self._indices,), axis=-1)
        return scatter_nd(column, self._values, self._dense_shape)

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __bool__(self) -> bool:
        raise ArgumentValueError("IndexedSlices have no truth value: use that of .values")

    def __repr__(self) -> str:
        shape = "" if self._dense_shape is None else f", dense_shape={self._shown()}"
        return f"IndexedSlices(indices={self._indices!r}, values={self._values!r}{shape})"

    def _shown(self) -> str:
        return repr(self._dense_shape) if current_recorder() is not None else str(self.shape)
