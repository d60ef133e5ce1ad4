"""Converts arguments of ops to tensors of one dtype: literals, arrays and weak values.

A Python number adopts the dtype of the tensor beside it, if that can hold numbers of its kind; so
does a NumPy value, and a *weak* symbolic tensor, which stands for a Python number. Two tensors are
never promoted. An object with `__rt_tensor__()` (a variable) is converted by calling that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core.array_ownership import tensor_of
from runtime.core.array_value import ArrayValue
from runtime.core.context import current_recorder
from runtime.core.dtypes import (
    KIND_RANK,
    DType,
    as_dtype,
    bool_,
    dtype_of_array,
    float32,
    int32,
    int64,
)
from runtime.core.lazy_imports import lazy_import
from runtime.core.nesting_depth import depth_error
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor, Tensor
from runtime.errors import (
    DTypeError,
    DTypeValueError,
    IntegerOverflowError,
    ShapeError,
    refusing,
)
from runtime.ops.containers.dynamic_items import as_rows, holds_dynamic_items
from runtime.ops.infer import check_same_dtype
from runtime.ops.literals import (
    LIMIT,
    adoptable,
    adopted,
    array_of,
    is_empty,
    natural_array,
    number_array,
    remedy,
    scan,
)
from runtime.ops.op import REGISTRY, Op, apply, define

name_of = lazy_import("runtime.diagnostics.operand_names:name_of")
name_operands = lazy_import("runtime.diagnostics.operand_names:name_operands")
with_name = lazy_import("runtime.diagnostics.operand_names:with_name")

# The value of `weak` for NumPy values: true, but Functions get them with their own dtype.
NUMPYS: Any = 2


def _cast_kernel(x: Array, *, dtype: DType) -> Array:
    _cast_infer(TensorSpec.of_array(x), dtype=dtype)
    if x.dtype.kind == "c" and dtype.kind != "c":
        x = x.real
    return x.astype(dtype.np_dtype)


def _cast_infer(x: TensorSpec, *, dtype: DType) -> TensorSpec:
    if x.dtype is not dtype and (x.dtype.is_variant or dtype.is_variant):
        raise DTypeError(
            f"{x.dtype.name} to {dtype.name}: a variant holds an object, which stays what it is"
        )
    if x.dtype.is_string != dtype.is_string:
        raise DTypeError(
            f"{x.dtype.name} to {dtype.name}: strings are converted by rt.strings.to_number and "
            "as_string"
        )
    return TensorSpec(x.shape, dtype)


def _exact_cast_kernel(x: Array, *, dtype: DType) -> Array:
    limits = np.iinfo(dtype.np_dtype)
    for value in (int(x.min()), int(x.max())) if x.size else ():
        if not limits.min <= value <= limits.max:
            raise refusing(
                IntegerOverflowError(
                    f"{value} does not fit {dtype.name}, the dtype of the tensor beside this "
                    "Python number: write rt.cast(x, rt.int64) for the tensor"
                )
            )
    return x.astype(dtype.np_dtype)


def _exact_cast_infer(x: TensorSpec, *, dtype: DType) -> TensorSpec:
    if not dtype.is_integer:
        raise DTypeError(f"{x.dtype.name} to {dtype.name}: only integers are exact")
    return TensorSpec(x.shape, dtype)


def _stack_kernel(*arrays: Array, axis: int) -> Array:
    if axis == 0:
        if arrays[0].ndim == 0 and arrays[0].dtype.kind != "O":
            return np.array(arrays)
        return np.concatenate([each[None] for each in arrays])
    return np.stack(arrays, axis)


def _stack_infer(*specs: TensorSpec, axis: int) -> TensorSpec:
    check_same_dtype(*specs)
    shape = specs[0].shape
    for spec in specs[1:]:
        if not shape.is_compatible_with(spec.shape):
            raise ShapeError(f"shapes {shape} and {spec.shape} cannot be stacked")
        shape = shape.merge(spec.shape)
    if shape.rank is None:
        return TensorSpec(None, specs[0].dtype)
    position = axis if axis >= 0 else axis + shape.rank + 1
    if not 0 <= position <= shape.rank:
        raise ShapeError(f"axis {axis} is out of range for rank {shape.rank}")
    return TensorSpec(shape[:position] + (len(specs),) + shape[position:], specs[0].dtype)


def _constant_infer(*, value: ArrayValue) -> TensorSpec:
    return TensorSpec.of_array(value.array)


CONSTANT: Op = define(
    "constant",
    lambda *, value: value.array,
    _constant_infer,
    tensorflow_name="Const",
)
CAST: Op = define(
    "cast",
    _cast_kernel,
    _cast_infer,
    grad=lambda dys, outputs, inputs, dtype: (
        apply(CAST, dys, dtype=inputs[0].dtype) if inputs[0].dtype.kind in "fc" else None,
    ),
    tensorflow_name="Cast",
)
# The cast of a Python int to a dtype that it adopts: a number that does not fit is an error.
EXACT_CAST: Op = define(
    "exact_cast",
    _exact_cast_kernel,
    _exact_cast_infer,
    kinds="iu",
    grad=lambda dys, outputs, inputs, dtype: (None,),
    tensorflow_name="Cast",
)
STACK: Op = define(
    "stack",
    _stack_kernel,
    _stack_infer,
    grad=lambda dys, outputs, inputs, axis: apply(
        REGISTRY["unstack"], dys, num=len(inputs), axis=axis
    ),
    tensorflow_name="Pack",
)


def is_tensor_like(value: Any) -> bool:
    """Return whether `value` is a tensor, or converts itself to one, as a variable does."""
    return isinstance(value, Tensor) or hasattr(type(value), "__rt_tensor__")


def holds_tensors(value: Any) -> bool:
    """Return whether `value` is a list or tuple with a tensor somewhere inside."""
    try:
        return isinstance(value, (list, tuple)) and scan(value, is_tensor_like) == "tensor"
    except RecursionError as error:
        raise depth_error(value, "the list", error) from None


def constant_tensor(array: Array, weak: bool = False) -> Tensor:
    """Return an array of the runtime's own as a tensor: eager, or a recorded `constant`."""
    if current_recorder() is None:
        return tensor_of(array)
    tensor: Tensor = apply(CONSTANT, (), value=ArrayValue(array))
    return weakly(tensor, weak)


def to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None) -> Tensor:
    """Return `value` as a tensor.

    Args:
        value: a tensor, a variable, a Python or NumPy value, or a nested list of any of them.
        dtype: the dtype wanted, or None.
        dtype_hint: the dtype preferred, if the value can have it.

    Raises:
        DTypeError: a tensor has another dtype, or a literal cannot become it.
    """
    if type(value) is EagerTensor and dtype is None:
        return value
    wanted = None if dtype is None else as_dtype(dtype)
    if isinstance(value, Tensor):
        return value if wanted is None else _of_required_dtype(value, wanted)
    if hasattr(type(value), "__rt_tensor__"):
        return to_tensor(value.__rt_tensor__(), wanted)
    number = number_array(value, wanted) if dtype_hint is None else None
    if number is not None:
        return constant_tensor(number)
    if holds_tensors(value):
        return _stacked_list(value, wanted)
    if wanted is None and dtype_hint is not None:
        return constant_tensor(_hinted(natural_array(value), as_dtype(dtype_hint), value))
    return constant_tensor(array_of(value, wanted))


def strong_cast(x: Tensor, dtype: DType) -> Tensor:
    """Return `x` in another dtype; `x` itself if it has that dtype."""
    cast: Tensor = x if x.dtype is dtype else apply(CAST, (x,), dtype=dtype)
    return cast


def adopting(x: Tensor, dtype: DType) -> Tensor:
    """Return a tensor that stands for a number in the dtype that it adopts.

    A run refuses an integer that does not fit; floats round.
    """
    are_integers = x.dtype.is_integer and dtype.is_integer
    if are_integers and not np.can_cast(x.dtype.np_dtype, dtype.np_dtype):
        cast: Tensor = apply(EXACT_CAST, (x,), dtype=dtype)
        return cast
    return strong_cast(x, dtype)


def binary(op: Op, x: Any, y: Any) -> Any:
    """Apply an elementwise arithmetic op of two operands; weak with weak stays weak."""
    quick = _quick_pair(x, y)
    if quick is not None:
        return apply(op, quick)
    inputs, weak = matched((x, y), op.name, arithmetic=True)
    return weakly(apply(op, inputs), weak)


def compared(op: Op, x: Any, y: Any, options: Callable[..., dict[str, Any]] | None = None) -> Any:
    """Apply an op on two operands of one dtype whose result is not weak, such as a comparison.

    Args:
        options: takes the op and its operands, and returns the attributes.
    """
    operands: Any = _quick_pair(x, y) or matched((x, y), op.name)[0]
    return apply(op, operands, **(options(op, *operands) if options else {}))


def unary(op: Op, x: Any) -> Any:
    """Apply an elementwise arithmetic op of one operand; weak stays weak."""
    if type(x) is EagerTensor:
        return apply(op, (x,))
    tensor = to_tensor(x)
    return weakly(apply(op, (tensor,)), is_weak(tensor))


def is_weak(value: Any) -> bool:
    """Return whether `value` is a symbolic tensor that stands for a Python number.

    For one that stands for a NumPy scalar, which also adopts dtypes, the result is `NUMPYS`.
    """
    return isinstance(value, SymbolicTensor) and value.weak


def stands_for_number(value: Any) -> bool:
    """Return whether `value` is a Python number, or stands for one."""
    return is_weak(value) or isinstance(value, (bool, int, float, complex))


class Operand(NamedTuple):
    """An argument before the common dtype is known: a tensor, or an array that may adopt one.

    An int that is too large for int64 is neither: it may become a float.
    """

    value: Any
    tensor: Tensor | None
    array: Array | None
    dtype: DType
    rank: int
    """The precedence of its dtype: 2 tensor, 1 NumPy, 0 Python number, -1 empty list."""

    def as_dtype(self, dtype: DType, weak: bool) -> Tensor:
        """Return the argument as a tensor of a dtype; DTypeError if it cannot have that dtype."""
        if self.tensor is None:
            if self.array is None:
                return constant_tensor(array_of(self.value, dtype), weak)
            array = adopted(self.array, dtype, self.value, "write rt.cast(x, rt.{})")
            return constant_tensor(array, weak)
        if self.dtype is dtype:
            return self.tensor
        return weakly(adopting(self.tensor, dtype), weak)

    def __str__(self) -> str:
        if self.rank == 2:
            return f"{self.dtype.name} tensor"
        if self.rank == 1:
            return f"NumPy {self.dtype.name}"
        if self.tensor is not None:
            return f"{self.tensor}, which stands for a Python {_python_word(self.dtype)}"
        if isinstance(self.value, (list, tuple)):
            return f"list of Python {_python_word(self.dtype)}s"
        return f"Python {type(self.value).__name__} {self.value!r}"


def matched(
    values: Sequence[Any], what: str, arithmetic: bool = False
) -> tuple[list[Tensor], bool]:
    """Return the operands as tensors of one dtype, and whether the result is weakly typed.

    Args:
        what: the op's name, for errors.
        arithmetic: whether bools among Python numbers count as ints, as in Python.

    Raises:
        DTypeError: naming both dtypes and the cast to write.
    """
    operands = [_operand(value) for value in values]
    leading = max(operand.rank for operand in operands)
    dtype = _common_dtype([x for x in operands if x.rank == leading], leading, what, arithmetic)
    for operand in operands:
        if operand.rank >= 0 and not adoptable(operand.dtype.kind, dtype):
            raise _mixed(what, [x for x in operands if x.rank == leading][0], operand)
    weak = False if leading else max(is_weak(operand.tensor) for operand in operands)
    try:
        return [operand.as_dtype(dtype, weak) for operand in operands], weak
    except DTypeValueError as error:
        name_operands(error)
        raise


def _quick_pair(x: Any, y: Any) -> tuple[Tensor, Tensor] | None:
    """Return the operands in the common cases: two tensors of one dtype, or one and a number."""
    if type(x) is EagerTensor:
        if type(y) is EagerTensor:
            return (x, y) if x._array.dtype == y._array.dtype else None
        beside = _value_beside(x, y)
        return None if beside is None else (x, beside)
    if type(y) is EagerTensor:
        beside = _value_beside(y, x)
        return None if beside is None else (beside, y)
    return _quick_symbolic_pair(x, y)


def _quick_symbolic_pair(x: Any, y: Any) -> tuple[Tensor, Tensor] | None:
    if type(x) is SymbolicTensor and not x.weak:
        if type(y) is SymbolicTensor:
            return None if y.weak or x.spec.dtype is not y.spec.dtype else (x, y)
        beside = _value_beside(x, y)
        return None if beside is None else (x, beside)
    if type(y) is SymbolicTensor and not y.weak:
        beside = _value_beside(y, x)
        return None if beside is None else (beside, y)
    return None


def _value_beside(tensor: Tensor, value: Any) -> Tensor | None:
    """Return a number, or a variable of the same dtype, as an operand beside a tensor."""
    array = number_array(value, tensor.dtype)
    if array is not None:
        return constant_tensor(array)
    read = getattr(type(value), "__rt_tensor__", None)
    if read is None or current_recorder() is not None:
        return None
    if getattr(value, "dtype", None) is not tensor.dtype:
        return None
    found: Tensor = read(value)
    return found


def _operand(value: Any) -> Operand:
    if hasattr(type(value), "__rt_tensor__"):
        value = value.__rt_tensor__()
    elif holds_tensors(value):
        value = _stacked_list(value, None)
    if isinstance(value, Tensor):
        return Operand(value, value, None, value.dtype, 0 if is_weak(value) else 2)
    if isinstance(value, int) and not -LIMIT <= value < LIMIT:
        return Operand(value, None, None, int64, 0)
    array = natural_array(value)
    rank = 1 if isinstance(value, (np.ndarray, np.generic)) else -1 if is_empty(value) else 0
    return Operand(value, None, array, dtype_of_array(array), rank)


def _common_dtype(operands: Sequence[Operand], leading: int, what: str, arithmetic: bool) -> DType:
    widest = max(operands, key=lambda operand: _width(operand.dtype))
    if leading > 0 or widest.dtype.is_string:
        for operand in operands:
            if operand.dtype is not widest.dtype:
                raise _mixed(what, operand, widest)
    return int32 if arithmetic and leading == 0 and widest.dtype is bool_ else widest.dtype


def _width(dtype: DType) -> tuple[int, int]:
    return KIND_RANK.get(dtype.kind, 4), dtype.size


def _mixed(what: str, x: Operand, y: Operand) -> DTypeError:
    narrow, wide = sorted((x, y), key=lambda operand: _width(operand.dtype))
    if {narrow.dtype.kind, wide.dtype.kind} & {"O", "V"}:
        other = narrow if wide.dtype.is_string else wide
        text = name_of(other.value, (x if other is y else y).value) or "..."
        is_text = "O" in {narrow.dtype.kind, wide.dtype.kind}
        advice = f": write rt.strings.as_string({text})" if is_text else ""
        return DTypeError(f"{what}: {x} and {y} do not mix{advice}")
    if _is_read(narrow.value) and wide.dtype.is_floating and narrow.dtype.is_floating:
        narrow, wide = wide, narrow  # the dtype of a variable stays, that of data may change
    target = float32 if wide.rank < 2 and wide.dtype.is_floating else wide.dtype
    text = name_of(narrow.value, wide.value) or "..."
    return DTypeError(
        f"{what}: {x} and {y}: write rt.cast({text}, rt.{target.name}) for the {narrow.dtype.name}"
    )


def _is_read(value: Any) -> bool:
    """Return whether a value is the one of a variable, read in a graph."""
    node = getattr(value, "node", None) if isinstance(value, SymbolicTensor) else None
    return node is not None and node.op.name == "read_variable"


def _of_required_dtype(tensor: Tensor, dtype: DType) -> Tensor:
    if tensor.dtype is dtype:
        return tensor
    if is_weak(tensor) and adoptable(tensor.dtype.kind, dtype):
        return adopting(tensor, dtype)
    advice = with_name(tensor, remedy(tensor.dtype.kind, dtype))
    raise DTypeValueError(f"{tensor} is not {dtype.name}: {advice}")


def _stacked_list(value: Any, dtype: DType | None) -> Tensor:
    if holds_dynamic_items(value):
        return to_tensor(as_rows(value, to_tensor), dtype)
    items = [_stacked_list(item, dtype) if holds_tensors(item) else item for item in value]
    if dtype is not None:
        tensors = [to_tensor(item, dtype) for item in items]
    else:
        tensors = matched(items, "stack")[0]
    packed: Tensor = apply(STACK, tensors, axis=0)
    return packed


def _hinted(natural: Array, dtype: DType, value: Any) -> Array:
    if not adoptable(natural.dtype.kind, dtype):
        return natural
    try:
        return adopted(natural, dtype, value)
    except DTypeError:
        return natural


def weakly(tensor: Tensor, weak: bool) -> Tensor:
    """Return a tensor, marked as weakly typed if `weak` is true and it is symbolic."""
    if weak and isinstance(tensor, SymbolicTensor):
        tensor.weak = weak
    return tensor


def _python_word(dtype: DType) -> str:
    words = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
    return words.get(dtype.kind, "str")
