"""The gradients for an optimizer: checked, made dense, clipped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.argument_checks import listed, shown
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arrays.indexed_slices import IndexedSlices
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import shape
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add_n, clip_by_value, maximum, multiply
from runtime.ops.elementwise.unary import sqrt, square
from runtime.state.variable import Variable


def variables_in(given: Any) -> list[Variable]:
    """Return the checked variables of a list.

    Raises:
        ArgumentValueError: an item is not a variable.
        DTypeError: it is not a list.
    """
    variables = listed(given, "var_list")
    for variable in variables:
        if not isinstance(variable, Variable):
            raise ArgumentValueError(
                f"an optimizer takes variables, not {shown(variable)}: write "
                "optimizer.apply_gradients(zip(gradients, variables))"
            )
    return variables


def given_pairs(
    gradients: Sequence[Any], variables: Sequence[Any]
) -> tuple[list[tuple[Any, Variable]], list[str]]:
    """Return pairs of gradient and variable, and the names of variables without a gradient.

    Raises:
        ArgumentValueError: there is no gradient at all, their number is wrong, or an item is not a
            variable.
        DTypeError: a variable has no float dtype.
    """
    for variable in variables_in(variables):
        if variable.dtype.kind not in "fc":
            raise DTypeError(
                f"{variable.path} is {variable.dtype.name}, and an optimizer changes floats: leave "
                "it out, or make it with dtype=rt.float32"
            )
    if len(gradients) != len(variables):
        raise ArgumentValueError(
            f"{len(gradients)} gradients are given for {len(variables)} variables"
        )
    if not variables:
        raise ArgumentValueError(
            "no gradients are given: the list is empty, or was iterated over before, as a zip that "
            "was made once and used twice"
        )
    pairs = [(g, v) for g, v in zip(gradients, variables) if g is not None]
    if not pairs:
        raise ArgumentValueError(
            "no variable has a gradient: is the loss computed of them inside of the tape?"
        )
    return pairs, [v.path for g, v in zip(gradients, variables) if g is None]


def dense_gradient(gradient: Any, variable: Variable) -> Tensor:
    """Return a gradient as a tensor of the variable's dtype and shape.

    >>> rows = IndexedSlices([[1.0]], [1])
    >>> print(dense_gradient(rows, Variable([[0.0], [0.0]])))
    rt.Tensor(
    [[0.]
     [1.]], shape=(2, 1), dtype=float32)
    """
    if isinstance(gradient, IndexedSlices) and gradient.dense_shape is None:
        gradient = IndexedSlices(gradient.values, gradient.indices, shape(variable))
    if not isinstance(gradient, (Tensor, Variable, IndexedSlices)):
        gradient = to_tensor(gradient, variable.dtype)
    found = cast(to_tensor(gradient), variable.dtype)
    if not found.shape.is_compatible_with(variable.shape):
        raise ShapeError(
            f"the gradient of {variable.path} must have its shape, {variable.shape}, not "
            f"{found.shape}"
        )
    return found


# -- gradient clipping -----------------------------------------------------------------------------


def clipped(
    gradients: Sequence[Any], norm: float | None, global_norm: float | None, value: float | None
) -> list[Any]:
    """Return clipped gradients.

    Args:
        norm: the maximum norm of each gradient, or None.
        global_norm: the maximum norm of all gradients together, or None.
        value: the maximum magnitude of an element, or None; used without the other two.

    >>> [g.numpy().tolist() for g in clipped([to_tensor([3.0, -4.0])], 5.0, None, None)]
    [[3.0, -4.0]]
    """
    if norm is not None:
        return [_scaled(each, sqrt(_squares(each)), norm) for each in gradients]
    if global_norm is not None:
        together = sqrt(add_n([cast(_squares(each), "float32") for each in gradients]))
        return [_scaled(each, together, global_norm) for each in gradients]
    if value is not None:
        return [clip_by_value(each, -value, value) for each in gradients]
    return list(gradients)


def _squares(gradient: Any) -> Any:
    return reduce_sum(square(gradient))


def _scaled(gradient: Any, found: Any, wanted: float) -> Any:
    most = to_tensor(wanted, found.dtype)
    return multiply(gradient, cast(most / maximum(found, most), gradient.dtype))
