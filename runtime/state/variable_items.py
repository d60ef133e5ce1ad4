"""Writable parts of a variable: rows, elements at indices, slices.

v.scatter_add(rt.IndexedSlices([[1.0]], [2]))        v.scatter_nd_update([[2, 0]], [7.0])
v[1:3].assign([5.0, 6.0])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.core.tensor import Tensor
from runtime.errors import DTypeError, ShapeError
from runtime.ops.arrays.concatenation import stack
from runtime.ops.arrays.creation import range as range_
from runtime.ops.arrays.gather import gather, gather_nd
from runtime.ops.arrays.index import Index
from runtime.ops.arrays.indexed_slices import IndexedSlices
from runtime.ops.arrays.indexing import place_of
from runtime.ops.arrays.shape import broadcast_to, reshape
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.convert import to_tensor
from runtime.ops.effects.variable_items import (
    ASSIGN_ITEM_VARIABLE,
    SCATTER_ND_VARIABLE,
    SCATTER_VARIABLE,
)
from runtime.ops.op import Op

if TYPE_CHECKING:
    from runtime.state.variable import Variable


class ItemMethods:
    """The methods of variables that read and write items.

    All of them return the variable. An index out of range, a shape or a dtype that does not fit is
    an error, after which the variable is as it was.
    """

    if TYPE_CHECKING:

        def read_value(self) -> Tensor: ...
        def _changed(self, op: Op, inputs: tuple[Any, ...], **attrs: Any) -> Variable: ...
        def _converted(self, value: Any) -> Tensor: ...

    # -- rows ----------------------------------------------------------------------------------

    def scatter_add(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Add rows; those named twice are added twice.

        Args:
            sparse_delta: `IndexedSlices`, of one row for each index, or of one number for all.

        Raises:
            InvalidArgumentError: an index is not that of a row.
            DTypeError, ShapeError: the rows do not fit.
        """
        return self._scatter("add", sparse_delta)

    def scatter_sub(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Subtract rows; see `scatter_add`."""
        return self._scatter("sub", sparse_delta)

    def scatter_mul(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Multiply rows by others; see `scatter_add`."""
        return self._scatter("mul", sparse_delta)

    def scatter_div(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Divide rows by others, integers towards zero; see `scatter_add`."""
        return self._scatter("div", sparse_delta)

    def scatter_max(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Put the larger of each two elements into rows; see `scatter_add`."""
        return self._scatter("max", sparse_delta)

    def scatter_min(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Put the smaller of each two elements into rows; see `scatter_add`."""
        return self._scatter("min", sparse_delta)

    def scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Replace rows; of one that is named twice the last one stays; see `scatter_add`."""
        return self._scatter("update", sparse_delta)

    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Replace `v[i, ..., j, indices[i, ..., j, k]]` by `updates[i, ..., j, k]`.

        Raises:
            ShapeError: the shapes of indices and variable do not begin alike.
        """
        rows = _slices(sparse_delta)
        rank = rows.indices.shape.rank
        if rank in (None, 0):
            raise ShapeError(f"batch_scatter_update: indices of shape {rows.indices.shape}")
        sizes = shape_of(rows.indices, out_type=rows.indices.dtype)
        places = []
        for axis in range(len(rows.indices.shape) - 1):
            along = [-1 if axis == at else 1 for at in range(len(rows.indices.shape))]
            numbers = range_(to_tensor(0, sizes.dtype), sizes[axis], to_tensor(1, sizes.dtype))
            places.append(broadcast_to(reshape(numbers, along), sizes))
        return self.scatter_nd_update(stack([*places, rows.indices], axis=-1), rows.values)

    def _scatter(self, how: str, sparse_delta: Any) -> Variable:
        rows = _slices(sparse_delta)
        updates = self._converted(rows.values)
        return self._changed(SCATTER_VARIABLE, (rows.indices, updates), how=how)

    # -- elements ------------------------------------------------------------------------------

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Add `updates[i]` to `v[indices[i]]`.

        Args:
            indices: integers; the last axis counts the dimensions of the variable.
            updates: an element, or as many as a row has, for each row of `indices`.

        Raises:
            InvalidArgumentError: a row of indices lies outside.
            DTypeError, ShapeError: the updates do not fit.
        """
        return self._scatter_nd("add", indices, updates)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Subtract `updates[i]` from `v[indices[i]]`; see `scatter_nd_add`."""
        return self._scatter_nd("sub", indices, updates)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Replace `v[indices[i]]` by `updates[i]`; see `scatter_nd_add`."""
        return self._scatter_nd("update", indices, updates)

    def scatter_nd_max(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Put the larger of `updates[i]` and `v[indices[i]]` there; see `scatter_nd_add`."""
        return self._scatter_nd("max", indices, updates)

    def scatter_nd_min(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Put the smaller of `updates[i]` and `v[indices[i]]` there; see `scatter_nd_add`."""
        return self._scatter_nd("min", indices, updates)

    def _scatter_nd(self, how: str, indices: Any, updates: Any) -> Variable:
        places = to_tensor(indices)
        return self._changed(SCATTER_ND_VARIABLE, (places, self._converted(updates)), how=how)

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """Return the rows that `indices` names, as `rt.gather` does."""
        return gather(self.read_value(), indices)

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """Return the elements or rows at `indices`, as `rt.gather_nd` does."""
        return gather_nd(self.read_value(), indices)

    # -- slices --------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        """Return `v[key]`, a tensor; unless an array or mask is in the key, it can be assigned."""
        item = self.read_value()[key]
        item._place = VariableItem(self, key)
        return item


class VariableItem:
    """The item `v[key]` of a variable: its value, and where assignments go."""

    __slots__ = ("_key", "_variable")

    def __init__(self, variable: Any, key: Any) -> None:
        self._variable = variable
        self._key = key

    def assign(self, value: Any, name: str | None = None) -> Variable:
        """Write a value of the variable's dtype to the place, repeated to fill it.

        Raises:
            DTypeError, ShapeError: it does not fit; the variable is as it was.
        """
        found = place_of(self._key)
        if found is None:
            raise DTypeError(
                "only slices of a variable can be assigned, and an array or a mask is in this "
                "index: write v.scatter_nd_update(indices, x), or v.assign(rt.where(mask, x, v))"
            )
        index, inputs = found
        return self._write(index, inputs, value)

    def _write(self, index: Index, inputs: tuple[Tensor, ...], value: Any) -> Variable:
        converted = self._variable._converted(value)
        changed: Variable = self._variable._changed(
            ASSIGN_ITEM_VARIABLE, (converted, *inputs), index=index
        )
        return changed


def _slices(value: Any) -> IndexedSlices:
    if isinstance(value, IndexedSlices):
        return value
    raise DTypeError(
        f"rows and where they go are rt.IndexedSlices(values, indices), not {type(value).__name__}"
    )
