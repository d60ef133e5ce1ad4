"""Gradients of functions: gradients, Jacobians, Hessians, and vector products with them.

An argument is a tensor, or a structure of tensors (`rt.nest`), and its derivative has that
structure. A list or tuple of numbers alone is one tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from numbers import Number
from typing import Any, ParamSpec, TypeVar, overload

from runtime import nest
from runtime.autodiff.tape import GradientTape
from runtime.autodiff.tape_steps import is_differentiable
from runtime.core.argument_checks import flag, function, listed, shown
from runtime.core.converter_hooks import staged
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.constant import identity
from runtime.ops.convert import to_tensor

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def value_and_grad(
    f: Callable[Parameters, Result], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[Parameters, tuple[Result, Any]]:
    """Return a function that gives the value of `f` and its gradient, as in JAX.

    Args:
        f: a function to a scalar tensor.
        argnums: the positions of the arguments with respect to which the gradient is taken; for
            several of them, it is a tuple.
        has_aux: whether `f` returns a pair, of which only the first is differentiated.

    >>> value, gradient = value_and_grad(lambda p: p["w"] * p["w"])({"w": 3.0})
    >>> float(value), float(gradient["w"])
    (9.0, 6.0)
    """
    function(f, "f")
    positions = [argnums] if isinstance(argnums, int) else listed(argnums, "argnums")
    pair = flag(has_aux, "has_aux")

    @wraps(f)
    def with_gradient(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Any:
        given: list[Any] = list(args)
        for at in positions:
            if not isinstance(at, int) or not -len(given) <= at < len(given):
                raise ArgumentValueError(
                    f"argnums must be positions of the {len(given)} arguments, not {shown(at)}"
                )
            given[at] = _point(given[at], f"args[{at}]")
        points = [given[at] for at in positions]
        with GradientTape() as tape:
            tape.watch(points)
            y = staged(f)(*given, **kwargs)
        value = _first_of_pair(y) if pair else y
        is_single = value is not None and not nest.is_nested(value)
        if not is_single or to_tensor(value).shape.rank not in (0, None):
            raise ShapeError(
                f"f must return a scalar, not {shown(value)}: return one "
                "number, as rt.reduce_sum(loss) does, or take rt.jacobian(f, x)"
            )
        gradients = tape.gradient(value, points, None, "zero")
        return y, gradients[0] if isinstance(argnums, int) else tuple(gradients)

    return with_gradient


def grad(
    f: Callable[Parameters, object], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[Parameters, Any]:
    """Return a function that gives the gradient of `f`, as in JAX.

    Args:
        f, argnums, has_aux: as for `value_and_grad`; the result for `has_aux` is the pair of the
            gradient and the second value of `f`.

    >>> float(grad(grad(lambda x: x * x * x))(2.0))
    12.0
    """
    both: Callable[..., Any] = value_and_grad(f, argnums, has_aux)

    @wraps(f)
    def gradient(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Any:
        value, found = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def vjp(f: Callable[..., Result], *primals: object) -> tuple[Result, Callable[[Any], Any]]:
    """Return `f(*primals)` and a function from its output gradients to the primals' gradients.

    >>> y, back = vjp(lambda x: x * x, 3.0)
    >>> float(y), float(back(1.0)[0])
    (9.0, 6.0)
    """
    function(f, "f")
    points = [_point(each, f"primals[{at}]") for at, each in enumerate(primals)]
    with GradientTape(persistent=True) as tape:
        tape.watch(points)
        y = staged(f)(*points)
    return y, lambda dy: tape.gradient(y, points, dy, "zero")


def jvp(
    f: Callable[..., Result], primals: Sequence[object], tangents: Sequence[object]
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
    along = [_tangent(point, each) for point, each in zip(points, gradients_along)]
    with GradientTape() as outer:
        with GradientTape() as tape:
            tape.watch(points)
            y = staged(f)(*points)
        dummies = nest.map_structure(zeros_like, y)
        outer.watch(dummies)
        gradients = tape.gradient(y, points, dummies, "zero")
    return y, outer.gradient(gradients, dummies, along, "zero")


@overload
def hvp(f: Callable[[Tensor], Tensor], x: TensorLike, vector: TensorLike) -> Tensor: ...
@overload
def hvp(f: Callable[..., Tensor], x: object, vector: object) -> Any: ...
def hvp(f: Callable[[Any], Tensor], x: Any, vector: Any) -> Any:
    """Return the Hessian of `f` at `x`, times a vector of the shape of `x`.

    >>> float(hvp(lambda x: x * x * x, 2.0, 1.0))
    12.0
    """
    function(f, "f")
    return jvp(lambda point: _gradients(f, point)[0], [_point(x, "x")], [vector])[1]


@overload
def jacobian(f: Callable[[Tensor], Tensor], x: TensorLike) -> Tensor: ...
@overload
def jacobian(f: Callable[..., object], x: object, *others: object) -> Any: ...
def jacobian(f: Callable[..., Any], x: Any, *others: Any) -> Any:
    """Return the derivatives of each element of `f(x)`, of shape `f(x).shape + x.shape`.

    For several arguments it is a tuple, with the derivatives by each of them.

    >>> jacobian(lambda x: x * x, [1.0, 2.0]).numpy().tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    function(f, "f")
    points = _points(x, *others)
    with GradientTape(persistent=True) as tape:
        tape.watch(points)
        y = staged(f)(*points)
    sources = tuple(points) if others else points[0]
    return nest.map_structure(lambda each: tape.jacobian(each, sources, "zero"), y)


@overload
def hessian(f: Callable[[Tensor], Tensor], x: TensorLike) -> Tensor: ...
@overload
def hessian(f: Callable[..., Tensor], x: object, *others: object) -> Any: ...
def hessian(f: Callable[..., Tensor], x: Any, *others: Any) -> Any:
    """Return the second derivatives of a scalar `f` at `x`, of shape `x.shape + x.shape`.

    For several arguments it is a tuple of tuples, with the block of each pair of arguments.

    >>> import autograph.runtime as rt
    >>> hessian(lambda x: rt.reduce_sum(x * x * x), [1.0, 2.0]).numpy().tolist()
    [[6.0, 0.0], [0.0, 12.0]]
    """
    function(f, "f")

    def gradients(*points: Any) -> Any:
        found = _gradients(f, *points)
        return tuple(found) if others else found[0]

    return jacobian(gradients, x, *others)


def _first_of_pair(result: Any) -> Any:
    if isinstance(result, (tuple, list)) and len(result) == 2:
        return result[0]
    raise ArgumentValueError(
        f"has_aux=True takes a function that returns a pair, not {shown(result)}: write return "
        "loss, others"
    )


def _points(*values: Any) -> list[Any]:
    names = ["x"] if len(values) == 1 else [f"args[{at}]" for at in range(len(values))]
    return [_point(value, name) for value, name in zip(values, names)]


def _point(value: Any, name: str) -> Any:
    """Return the point of a derivative, of tensors that occur nowhere else.

    Raises:
        DTypeError: a tensor in it is of integers, which have no gradients.
    """
    if hasattr(value, "trainable_variables"):
        raise DTypeError(
            f"{name} is a {type(value).__name__}, whose variables are no arguments: compute the "
            "loss in `with rt.GradientTape() as tape:`, and write "
            "tape.gradient(loss, model.trainable_variables)"
        )
    if not nest.is_nested(value) or _is_of_numbers(value):
        return _tensor(value, name)
    leaves = nest.flatten_with_paths(value)
    return nest.unflatten(value, [_tensor(leaf, name + path) for path, leaf in leaves])


def _is_of_numbers(value: Any) -> bool:
    if type(value) in (list, tuple):
        return all(map(_is_of_numbers, value))
    return isinstance(value, Number)


def _tensor(value: Any, name: str) -> Any:
    tensor = to_tensor(value)
    if is_differentiable(tensor.dtype):
        # A function that uses the given tensor by itself, or twice, has a gradient by each use.
        return identity(tensor)
    raise DTypeError(
        f"{name} is {tensor.dtype.name}, and only floats have slopes: write 2.0 for a number such "
        "as 2, or rt.cast(x, rt.float32) for a tensor"
    )


def _tangent(point: Any, given: Any) -> Any:
    if not nest.is_nested(point):
        return to_tensor(given, point.dtype)
    return nest.map_structure(lambda each, along: to_tensor(along, each.dtype), point, given)


def _gradients(f: Callable[..., Any], *points: Any) -> list[Any]:
    with GradientTape() as tape:
        tape.watch(points)
        y = staged(f)(*points)
    return tape.gradient(y, list(points), None, "zero")
