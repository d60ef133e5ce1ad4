"""Jacobians, Hessians, and vector products with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from runtime import nest
from runtime.autodiff.tape import GradientTape
from runtime.autodiff.tape_steps import is_differentiable
from runtime.core.argument_checks import function, listed
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.convert import to_tensor

Result = TypeVar("Result")


def vjp(f: Callable[..., Result], *primals: TensorLike) -> tuple[Result, Callable[[Any], Any]]:
    """Return `f(*primals)` and a function from its output gradients to the primals' gradients.

    >>> y, back = vjp(lambda x: x * x, 3.0)
    >>> float(y), float(back(1.0)[0])
    (9.0, 6.0)
    """
    function(f, "f")
    points = [_point(each, f"primals[{at}]") for at, each in enumerate(primals)]
    with GradientTape(persistent=True) as tape:
        tape.watch(points)
        y = f(*points)
    return y, lambda dy: tape.gradient(y, points, dy, "zero")


def jvp(
    f: Callable[..., Result], primals: Sequence[TensorLike], tangents: Sequence[TensorLike]
) -> tuple[Result, Result]:
    """Return `f(*primals)` and its derivative along `tangents`, one of each primal's shape.

    The gradient is linear in the output gradients; the gradient of this linear function is the
    forward derivative (J. Townsend, "A new trick for calculating Jacobian vector products", 2017).

    >>> y, gradient = jvp(lambda x: x * x, [3.0], [2.0])
    >>> float(y), float(gradient)
    (9.0, 12.0)
    """
    function(f, "f")
    given = enumerate(listed(primals, "primals"))
    points = [_point(each, f"primals[{at}]") for at, each in given]
    gradients_along = listed(tangents, "tangents")
    if len(gradients_along) != len(points):
        raise ArgumentValueError(f"{len(gradients_along)} tangents for {len(points)} primals")
    along = [to_tensor(each, point.dtype) for each, point in zip(gradients_along, points)]
    with GradientTape() as outer:
        with GradientTape() as tape:
            tape.watch(points)
            y = f(*points)
        dummies = nest.map_structure(zeros_like, y)
        outer.watch(dummies)
        gradients = tape.gradient(y, points, dummies, "zero")
    return y, outer.gradient(gradients, dummies, along, "zero")


def hvp(f: Callable[[Tensor], Tensor], x: TensorLike, vector: TensorLike) -> Tensor:
    """Return the Hessian of `f` at `x`, times a vector of the shape of `x`.

    >>> float(hvp(lambda x: x * x * x, 2.0, 1.0))
    12.0
    """
    function(f, "f")
    return jvp(lambda point: _gradient(f, point), [_point(x, "x")], [vector])[1]


def jacobian(f: Callable[[Tensor], Tensor], x: TensorLike) -> Tensor:
    """Return the derivatives of each element of `f(x)`, of shape `f(x).shape + x.shape`.

    >>> jacobian(lambda x: x * x, [1.0, 2.0]).numpy().tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    function(f, "f")
    point = _point(x, "x")
    with GradientTape(persistent=True) as tape:
        tape.watch(point)
        y = f(point)
    return tape.jacobian(y, point, "zero")


def hessian(f: Callable[[Tensor], Tensor], x: TensorLike) -> Tensor:
    """Return the second derivatives of a scalar `f` at `x`, of shape `x.shape + x.shape`.

    >>> import autograph.runtime as rt
    >>> hessian(lambda x: rt.reduce_sum(x * x * x), [1.0, 2.0]).numpy().tolist()
    [[6.0, 0.0], [0.0, 12.0]]
    """
    function(f, "f")
    return jacobian(lambda point: _gradient(f, point), x)


def _point(value: Any, name: str) -> Any:
    """Return the point of a derivative; DTypeError for integers, which have no gradients."""
    point = to_tensor(value)
    if is_differentiable(point.dtype):
        return point
    raise DTypeError(
        f"{name} is {point.dtype.name}, and only floats have slopes: write 2.0 for a number such "
        "as 2, or rt.cast(x, rt.float32) for a tensor"
    )


def _gradient(f: Callable[[Any], Any], point: Any) -> Any:
    with GradientTape() as tape:
        tape.watch(point)
        y = f(point)
    return tape.gradient(y, point, None, "zero")
