"""TensorArray: tensors of one dtype, written by index, and stacked in the end."""

from __future__ import annotations

import copy
from typing import Any

from runtime import nest
from runtime.core.argument_checks import flag
from runtime.core.dtypes import DType, DTypeLike, as_dtype, float32
from runtime.core.shapes import Ints, ShapeLike, TensorShape, as_shape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops.arguments import folded_value
from runtime.ops.containers import lists
from runtime.ops.containers import tensor_arrays as ops
from runtime.ops.containers.list_kernels import check_index
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply
from runtime.state.tensor_array_shapes import element_shape


class TensorArray:
    """A list of slots for tensors, each written by its index.

    A write changes the TensorArray itself and returns it, so `ta = ta.write(i, v)` and `ta.write(i,
    v)` are equivalent, also in loops and branches of a graph.

    Args:
        dtype: the dtype of the elements.
        size: the number of slots, a Python int or a scalar tensor.
        dynamic_size: whether a write after the last slot adds slots.
        clear_after_read: accepted without effect: an element keeps its value when it is read, as in
            TensorFlow's graphs. (Eagerly, TensorFlow refuses a second read unless this is False.)
        infer_shape: whether all elements have the shape of the first one written.
        element_shape: the known part of their shape.
        handle: the contents of another TensorArray, to continue with.

    An element that was never written is read as zeros, if its shape is known.

    Example:
        >>> import autograph.runtime as rt
        >>> squares = rt.TensorArray(rt.int32, size=4)
        >>> for i in range(4):
        ...     squares = squares.write(i, i * i)
        >>> squares.stack().numpy().tolist()
        [0, 1, 4, 9]
    """

    __slots__ = (
        "__weakref__",
        "_declared",
        "_dtype",
        "_dynamic",
        "_inferred",
        "handle",
    )

    handle: Tensor

    def __init__(
        self,
        dtype: DTypeLike = float32,
        size: Ints | None = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Tensor | None = None,
        flow: Tensor | None = None,
        infer_shape: bool = True,
        element_shape: ShapeLike | None = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        self._dtype = as_dtype(dtype)
        self._dynamic = flag(dynamic_size, "dynamic_size")
        flag(clear_after_read, "clear_after_read")
        self._inferred, self._declared = flag(infer_shape, "infer_shape"), as_shape(element_shape)
        contents = flow if handle is None else handle
        self.handle = self._made(size) if contents is None else contents

    def _made(self, size: Any) -> Tensor:
        if size is None and not self._dynamic:
            raise ArgumentValueError("a TensorArray needs a size, or dynamic_size=True")
        element = TensorSpec(self._declared, self._dtype)
        made: Tensor = apply(ops.NEW, (_position(0 if size is None else size),), element=element)
        return made

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._dtype

    @property
    def element_shape(self) -> TensorShape:
        """The static shape of the elements."""
        return element_shape(self.handle, self._declared, self._inferred)

    @property
    def dynamic_size(self) -> bool:
        """True if a write after the last slot adds slots."""
        return self._dynamic

    @property
    def flow(self) -> Tensor:
        """The contents; TensorFlow's other name of `handle`."""
        return self.handle

    # -- one element ---------------------------------------------------------------------------

    def write(self, index: TensorLike, value: TensorLike, name: str | None = None) -> TensorArray:
        """Replace the value of a slot, and return this TensorArray.

        Raises:
            OutOfRangeError: there is no such slot, and none may be added.
            ShapeError: the value does not have the shape of the others.
            DTypeError: it does not have their dtype.
        """
        self._change(ops.WRITE, _position(index), to_tensor(value, self._dtype))
        return self

    def read(self, index: TensorLike, name: str | None = None) -> Tensor:
        """Return the element in a slot.

        Raises:
            OutOfRangeError: there is no such slot.
        """
        position = _position(index)
        return apply(ops.READ, (self.handle, position), element=self._element())

    def size(self, name: str | None = None) -> Tensor:
        """Return the number of slots, an int32 scalar."""
        return apply(ops.SIZE, (self.handle,))

    # -- several elements ----------------------------------------------------------------------

    def stack(self, name: str | None = None) -> Tensor:
        """Return a tensor whose rows are the elements."""
        return lists.list_stack(self._items(), 0, self._element())

    def gather(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Return a tensor whose rows are the elements at `indices`, a vector of integers."""
        return lists.list_stack(self._items(lists.index_vector(indices)), 0, self._element())

    def concat(self, name: str | None = None) -> Tensor:
        """Return the elements joined along their first axis."""
        return lists.list_concat(self._items(), 0, self._element())

    def unstack(self, value: TensorLike, name: str | None = None) -> TensorArray:
        """Replace the elements by the rows of a tensor, and return this TensorArray."""
        rows = lists.list_from_rows(to_tensor(value, self._dtype))
        self._change(ops.FILL, rows)
        return self

    def scatter(
        self, indices: TensorLike, value: TensorLike, name: str | None = None
    ) -> TensorArray:
        """Write the rows of a tensor at `indices`, and return this TensorArray."""
        rows = lists.list_from_rows(to_tensor(value, self._dtype))
        self._change(ops.SCATTER, lists.index_vector(indices), rows)
        return self

    def split(self, value: TensorLike, lengths: TensorLike, name: str | None = None) -> TensorArray:
        """Replace the elements by consecutive parts of a tensor, which may differ in length.

        Returns:
            This TensorArray.
        """
        sizes = lists.index_vector(lengths)
        parts = lists.list_from_parts(to_tensor(value, self._dtype), sizes)
        known = folded_value(sizes)
        is_even = known is not None and len(set(known.tolist())) < 2
        given = (self.handle, parts)
        inferred = self._inferred and is_even
        self.handle = apply(ops.FILL, given, dynamic=self._dynamic, inferred=inferred)
        return self

    def identity(self) -> TensorArray:
        """Return this TensorArray."""
        return self

    def close(self, name: str | None = None) -> None:
        """Remove all elements and slots."""
        self.handle = self._made(0)

    def like(self, handle: Any) -> TensorArray:
        """Return a TensorArray like this one with other contents."""
        other = copy.copy(self)
        other.handle = handle
        return other

    def _change(self, op: Any, *inputs: Tensor) -> None:
        given = (self.handle, *inputs)
        self.handle = apply(op, given, dynamic=self._dynamic, inferred=self._inferred)

    def _items(self, *indices: Tensor) -> Any:
        return apply(ops.ITEMS, (self.handle, *indices), element=self._element())

    def _element(self) -> TensorSpec:
        return TensorSpec(self.element_shape, self._dtype)

    def __repr__(self) -> str:
        size = f", size={int(self.size())}" if isinstance(self.handle, EagerTensor) else ""
        return f"<rt.TensorArray: dtype={self._dtype.name}{size}>"


def _form(array: TensorArray) -> str:
    """Return the text of the properties of TensorArrays that may differ only in contents."""
    words = [
        array._dtype.name
        if array._declared.rank is None
        else f"{array._dtype.name} {array._declared}",
        *(["dynamic_size=True"] if array._dynamic else []),
        *([] if array._inferred else ["infer_shape=False"]),
    ]
    return ", ".join(words)


nest.register(
    TensorArray,
    lambda array: (array.handle,),
    lambda array, contents: array.like(contents[0]),
    form=_form,
)


def _position(value: Any) -> Tensor:
    tensor = to_tensor(value)
    if not tensor.dtype.is_integer:
        raise DTypeError(f"an index of a TensorArray must be an integer, not {tensor.dtype.name}")
    check_index(tensor.spec)
    return tensor
