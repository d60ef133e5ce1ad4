"""Items and slices of strings that a run computes: `s[0]`, `s[1:]`."""

from __future__ import annotations

import builtins
from typing import Any

from runtime.core.dtypes import bool_, int32, string
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, SymbolicTensor, Tensor
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops import infer
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.effects.checks import check
from runtime.ops.elementwise.comparison import greater_equal, less
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.elementwise.unary import negative
from runtime.ops.op import apply, define
from runtime.ops.python.formatting import python_value
from runtime.ops.python.string_methods import text_method


def text_item(text: Any, index: Any) -> Tensor:
    """Return `text[index]` for a scalar string.

    Args:
        text: a scalar string.
        index: an int or a scalar integer tensor, or a slice of those.

    Raises:
        IndexError: there is no such character.
        DTypeError: the index is not an integer.
        InvalidArgumentError: the step of a slice is 0 (also a ValueError).

    >>> print(text_item("tensor", builtins.slice(2, None)))
    rt.Tensor(b'nsor', shape=(), dtype=string)
    """
    if isinstance(index, builtins.slice):
        bounds: tuple[Any, ...] = (index.start, index.stop, index.step)
    else:
        bounds = (_inside(text, index),)
    given = tuple(bound is not None for bound in bounds)
    tensors = [to_tensor(value) for value in (text, *bounds) if value is not None]
    if any(not tensor.dtype.is_integer or tensor.shape.rank != 0 for tensor in tensors[1:]):
        raise DTypeError("string indices must be integers")
    result: Tensor = apply(TEXT_ITEM, tensors, given=given)
    if isinstance(result, SymbolicTensor):
        result.weak = True
    return result


def _inside(text: Any, index: Any) -> Any:
    if isinstance(index, Tensor) and index.dtype == bool_:
        index = cast(index, int32)  # False and True are 0 and 1, as they are in Python.
    length = text_method(text, "__len__")
    is_there = logical_and(less(index, length), greater_equal(index, negative(length)))
    check(is_there, IndexError, "string index out of range")
    return index


def _kernel(text: Array, *bounds: Array, given: tuple[bool, ...]) -> Any:
    left = iter([int(bound) for bound in bounds])
    values = [next(left) if is_given else None for is_given in given]
    if len(values) == 1:
        # If there is no such character, the index check raises.
        start = values[0]
        part = builtins.slice(start, None if start == -1 else start + 1)  # type: ignore[operator]
    else:
        part = builtins.slice(*values)
    try:
        return python_value(text)[part].encode("utf-8", "surrogateescape")
    except ValueError as error:
        raise ArgumentValueError(str(error)) from None


def _infer(text: TensorSpec, *bounds: TensorSpec, given: tuple[bool, ...]) -> TensorSpec:
    infer.check_scalar(text, "a text")
    for bound in bounds:
        infer.check_integer(bound, "string indices")
        infer.check_scalar(bound, "a string index")
    return TensorSpec((), string)


TEXT_ITEM = define("text_item", _kernel, _infer, kinds="O")
