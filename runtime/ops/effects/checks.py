"""Ops that raise an error unless a condition holds: `assert_`, `check` and `refuse`.

In a graph each is a node that runs on every call, in program order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import bool_
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, ShapeError, refusing
from runtime.ops.convert import to_tensor
from runtime.ops.infer import check_scalar
from runtime.ops.op import apply, define
from runtime.ops.text.print_format import (
    EDGE_ITEMS,
    Pieces,
    PrintTemplate,
    check_gaps,
    fill,
)


def assert_(condition: TensorLike, message: object = None) -> None:
    """Raise AssertionError if `condition` is false; in a graph each time this point is reached.

    Args:
        condition: a Python bool or a scalar bool tensor.
        message: a string or any value `print_` takes; tensors in it are shown with their current
            values.

    Raises:
        AssertionError: the condition is false.
        DTypeError: it is no bool; ShapeError: it is no scalar.

    >>> import autograph.runtime as rt
    >>> assert_(rt.constant(2) > 1, "too small")
    >>> assert_(rt.constant(0) > 1, "too small")
    Traceback (most recent call last):
    AssertionError: too small
    """
    if isinstance(condition, (bool, np.bool_)) and condition:
        return
    template = PrintTemplate()
    if message is not None:
        template.add(message)
    inputs = (scalar_bool(condition, "the condition of an assert"), *template.tensors)
    apply(ASSERT, inputs, template=template.frozen())


def check(condition: Any, error: type[BaseException], message: str) -> None:
    """Raise `error(message)` if `condition` is false; in a graph when this point is reached.

    Without a message the error is `error()`.

    Args:
        condition: a Python bool or a scalar bool tensor.
        error: an exception type that takes one string.
    """
    if isinstance(condition, (bool, np.bool_)) and condition:
        return
    inputs = (scalar_bool(condition, "the condition of a check"),)
    apply(CHECK, inputs, error=error, message=message)


def refuse(condition: Any, error: type[Exception], message: str) -> None:
    """Raise `error(message)` like `check`, for a program that graphs do not support.

    It is not an error of the program, so no handler in the graph catches it.
    """
    inputs = (scalar_bool(condition, "the condition of a refusal"),)
    apply(REFUSE, inputs, error=error, message=message)


def _assert_kernel(condition: Array, *arrays: Array, template: Pieces) -> tuple[()]:
    check_scalar(TensorSpec.of_array(condition), "the condition of an assertion")
    if condition:
        return ()
    message = fill(template, arrays, EDGE_ITEMS)
    raise AssertionError(message) if template else AssertionError


def _assert_infer(condition: TensorSpec, *specs: TensorSpec, template: Pieces) -> tuple[()]:
    check_gaps(template, len(specs))
    return ()


def _check_kernel(condition: Array, *, error: type[Exception], message: str) -> tuple[()]:
    if condition:
        return ()
    raise error(message) if message else error()


def _refuse_kernel(condition: Array, *, error: type[Exception], message: str) -> tuple[()]:
    if condition:
        return ()
    raise refusing(error(message))


def scalar_bool(value: Any, what: str) -> Tensor:
    """Return a condition as a scalar bool tensor; DTypeError or ShapeError if it is not one."""
    tensor = to_tensor(value)
    if tensor.dtype is not bool_:
        raise DTypeError(
            f"{what} must be bool, not {tensor.dtype.name}: write a comparison such as x != 0"
        )
    if tensor.shape.rank not in (0, None):
        raise ShapeError(
            f"{what} must be a scalar, not of shape {tensor.shape}: write rt.reduce_all(...)"
        )
    return tensor


def _no_results(*specs: TensorSpec, **attrs: object) -> tuple[()]:
    return ()


ASSERT = define(
    "assert", _assert_kernel, _assert_infer, effects="io", tensorflow_name="Assert", n_outputs=0
)
CHECK = define(
    "check", _check_kernel, _no_results, effects="io", tensorflow_name="Assert", n_outputs=0
)
REFUSE = define(
    "refuse", _refuse_kernel, _no_results, effects="io", tensorflow_name="Assert", n_outputs=0
)
