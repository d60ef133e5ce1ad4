"""Arguments such as axes and sizes, as Python ints if they are known while tracing."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.argument_checks import shown
from runtime.core.dtypes import int32
from runtime.core.lazy_imports import lazy_import
from runtime.core.shapes import Dims, TensorShape
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor, Tensor
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    OpError,
    ShapeError,
    SymbolicTensorError,
)
from runtime.ops import infer
from runtime.ops.convert import is_tensor_like, to_tensor
from runtime.ops.op import run_kernel

name_of = lazy_import("runtime.diagnostics.operand_names:name_of")
with_name = lazy_import("runtime.diagnostics.operand_names:with_name")

_LIMIT = 2**63
# The largest tensor that is computed while tracing; arguments such as axes are small.
_MOST = 64


def static_value(value: Any) -> Array | None:
    """Return the value of a tensor that is known while tracing, else None.

    Eager tensors and recorded constants are known.
    """
    if isinstance(value, EagerTensor):
        return value._array
    if isinstance(value, SymbolicTensor) and value.node.op.name == "constant":
        array: Array = value.node.attrs["value"].array
        return array
    return None


def folded_value(value: Any) -> Array | None:
    """Return the value of a small tensor if it is known while tracing, else None.

    Results of pure ops on constants are known, such as `rt.range(1, rt.rank(x))`.
    """
    array = static_value(value)
    if array is not None or not isinstance(value, SymbolicTensor):
        return array
    node, count = value.node, value.shape.num_elements()
    op = node.op
    if op.kernel is None or op.effects != "none" or node.regions or count is None:
        return None
    if count > _MOST or not node.inputs:
        return None
    known = []
    for each in node.inputs:
        array = folded_value(each)
        if array is None:
            return None
        known.append(array)
    try:
        return run_kernel(op, known, node.attrs)[value.index]
    except OpError:
        return None  # The error is raised at run time, with a better message.


def static_axes(axis: Any) -> tuple[int, ...] | None:
    """Return an `axis` argument (None, an int, several, or a tensor of them) as a tuple.

    >>> static_axes(None), static_axes(-1), static_axes([0, 1])
    (None, (-1,), (0, 1))
    """
    if axis is None:
        return None
    if isinstance(axis, (bool, np.bool_)):
        raise DTypeError(
            f"axis must be an int, not {axis}: write keepdims={axis} for the kept axes"
        )
    if isinstance(axis, (list, tuple)):
        return tuple(static_int(item, "axis") for item in axis)
    if isinstance(axis, np.ndarray) or is_tensor_like(axis):
        array = known_array(axis, "axis")
        if array.dtype.kind not in "iu" and array.size:
            raise DTypeError(f"axis must be ints, not {array.dtype.name}")
        return tuple(array.ravel().tolist())
    return (static_int(axis, "axis"),)


def static_int(value: Any, what: str) -> int:
    """Return an argument that must be one int and known while tracing."""
    if isinstance(value, np.ndarray) or is_tensor_like(value):
        array = known_array(value, what)
        if array.size != 1 or array.dtype.kind not in "iu":
            raise DTypeError(
                f"{what} must be one int, not {array.dtype.name} of shape {array.shape}"
            )
        return int(array.item())
    if isinstance(value, float) or not hasattr(type(value), "__index__"):
        raise DTypeError(f"{what} must be an int, not {shown(value)}")
    number = int(value.__index__())
    if not -_LIMIT <= number < _LIMIT:
        raise ArgumentValueError(f"{what} must be an int of 64 bits, not {shown(number)}")
    return number


def known_array(value: Any, what: str) -> Array:
    """Return the array of an argument; SymbolicTensorError when it is not known while tracing."""
    tensor = to_tensor(value)
    array = folded_value(tensor)
    if array is None:
        raise SymbolicTensorError(
            f"{what} must be known while tracing, but {tensor} is not: give a Python number"
        )
    return array


def check_list(function: str, x: Any, *given: Any) -> None:
    """Check that an argument of several ints is one list, and not its first int.

    Args:
        function: the public function.
        x: its first argument, which the error names.
        given: the argument, and those after it, which are ints if the ints are given one by one.

    Raises:
        DTypeError: the ints are given one by one.

    >>> check_list("reshape", [1, 2], [2, 1], None)
    """
    if type(given[0]) is not int:
        return
    ints = [each for each in given if type(each) is int]
    if len(ints) > 1:
        advice = with_name(x, f"rt.{function}(x, {ints})", function)
        raise DTypeError(f"{function} takes the ints in a list: write {advice}")


def dims_argument(shape: Any) -> tuple[Dims, tuple[Tensor, ...]]:
    """Split a `shape` argument into the part that is known now, and the part known at run time.

    Args:
        shape: an int, a list of ints and scalar tensors, a TensorShape, or a vector tensor.

    Returns:
        The `shape` attribute, with None for unknown dimensions (or None if even the rank is
        unknown), and a tuple with no tensor, or with one of all dimensions, to be the op's last
        input.

    >>> dims_argument([2, 3])
    ((2, 3), ())
    """
    if isinstance(shape, TensorShape):
        return _sizes(shape)
    if isinstance(shape, (list, tuple)):
        return _listed(shape)
    if isinstance(shape, np.ndarray) or is_tensor_like(shape):
        return _from_tensor(to_tensor(shape))
    return (static_int(shape, "shape"),), ()


def final_shape(shape: Dims, dims: tuple[Array, ...]) -> tuple[int, ...]:
    """Return the shape for a kernel, from its `shape` attribute and its optional last input."""
    chosen: Any = dims[0].ravel().tolist() if dims else shape
    for size in chosen:
        if size < 0:
            raise ShapeError(f"the shape {list(chosen)} has a negative dimension")
    return tuple(chosen)


def _sizes(shape: TensorShape) -> tuple[Dims, tuple[Tensor, ...]]:
    if shape.is_fully_defined():
        return shape.dims, ()
    # A shape may carry the tensors that give its unknown sizes at run time.
    sizes: list[Any] = [None] if shape.rank is None else list(shape)
    if any(size is None for size in sizes):
        raise ShapeError(f"the shape {shape} is not fully known: use rt.shape(x) for one that is")
    return _listed(sizes)


def _from_tensor(tensor: Tensor) -> tuple[Dims, tuple[Tensor, ...]]:
    if not tensor.dtype.is_integer:
        raise DTypeError(f"a shape must be integers, not {tensor.dtype.name}")
    if tensor.shape.rank not in (None, 0, 1):
        raise ShapeError(f"a shape must be a vector, not a tensor of shape {tensor.shape}")
    array = static_value(tensor)
    if array is not None:
        return tuple(array.ravel().tolist()), ()
    if tensor.shape.rank == 0:
        tensor = to_tensor([tensor])
    length = tensor.shape[0]
    return None if length is None else (None,) * length, (tensor,)


def _listed(items: Any) -> tuple[Dims, tuple[Tensor, ...]]:
    known = tuple(_known_dim(item) for item in items)
    if None not in known:
        return known, ()
    pairs = zip(items, known, strict=True)
    return known, (to_tensor([item if dim is None else dim for item, dim in pairs]),)


def _known_dim(item: Any) -> int | None:
    if item is None:
        raise ArgumentValueError(
            "a dimension must be an integer, not None: write rt.shape(x)[i] for an unknown one"
        )
    if not is_tensor_like(item):
        return static_int(item, "a dimension")
    tensor = to_tensor(item)
    if not tensor.dtype.is_integer:
        raise DTypeError(
            f"a dimension must be an integer, not {tensor.dtype.name}: write "
            f"rt.cast({name_of(item) or 'n'}, rt.{int32.name})"
        )
    infer.check_scalar(tensor.spec, "a dimension")
    array = static_value(tensor)
    return None if array is None else int(array)
