"""Assertions on values: `assert_equal`, `assert_positive`, ..., raising InvalidArgumentError.

In a graph each is a node that runs on every call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeAlias

import numpy as np

from runtime.core.argument_checks import plain_text
from runtime.core.context import current_recorder, last_session_node
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, InvalidArgumentError
from runtime.ops import infer
from runtime.ops.arguments import static_int, static_value
from runtime.ops.arrays.reduction import reduce_all
from runtime.ops.convert import matched, to_tensor
from runtime.ops.effects.checks import scalar_bool
from runtime.ops.elementwise.arithmetic import add, multiply, subtract
from runtime.ops.elementwise.comparison import less
from runtime.ops.elementwise.unary import abs as abs_
from runtime.ops.op import Op, apply, define, run_kernel
from runtime.ops.text.print_format import array_text, bytes_text

RELATIONS: dict[str, Callable[[Array, Array], Any]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
Relation: TypeAlias = Annotated[str, frozenset((*RELATIONS, *(f"{each} 0" for each in RELATIONS)))]


def assert_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> object:
    """Raise InvalidArgumentError unless x == y in every element (they broadcast).

    >>> assert_equal([1, 2], [1, 3], "labels")
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: labels ...
    """
    return _assert(x, "==", y, message, summarize)


def assert_none_equal(
    x: TensorLike,
    y: TensorLike,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> object:
    """Raise InvalidArgumentError unless x != y in every element (they broadcast).

    >>> assert_none_equal([1, 2], 2, message="labels")
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: labels ...
    """
    return _assert(x, "!=", y, message, summarize)


def assert_less(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> object:
    """Raise InvalidArgumentError unless x < y in every element (they broadcast).

    Numbers and bools of one dtype are compared; a DTypeError for strings and complex numbers.

    >>> assert_less([1, 2], 3)
    >>> assert_less([1, 2], 2)
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: Condition x < y did not hold. ...
    """
    return _assert(x, "<", y, message, summarize)


def assert_less_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> object:
    """Raise InvalidArgumentError unless x <= y in every element; see `assert_less`.

    >>> assert_less_equal([1, 2], 2)
    >>> assert_less_equal([1, 2], 1)
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: Condition x <= y did not hold. ...
    """
    return _assert(x, "<=", y, message, summarize)


def assert_greater(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> object:
    """Raise InvalidArgumentError unless x > y in every element; see `assert_less`.

    >>> assert_greater([1, 2], 0)
    >>> assert_greater([1, 2], 1)
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: Condition x > y did not hold. ...
    """
    return _assert(x, ">", y, message, summarize)


def assert_greater_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> object:
    """Raise InvalidArgumentError unless x >= y in every element; see `assert_less`.

    >>> assert_greater_equal([1, 2], 1)
    >>> assert_greater_equal([1, 2], 2)
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: Condition x >= y did not hold. ...
    """
    return _assert(x, ">=", y, message, summarize)


def assert_positive(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> object:
    """Raise InvalidArgumentError unless x > 0 in every element; DTypeError if x has no order.

    >>> assert_positive([0.5, 2.0])
    >>> assert_positive([0.0, 2.0])
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: Condition x > 0 did not hold element-wise: ...
    """
    return _assert(x, "> 0", 0, message, summarize)


def assert_non_negative(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> object:
    """Raise InvalidArgumentError unless x >= 0 in every element; DTypeError if x has no order.

    >>> assert_non_negative([0, 1])
    >>> assert_non_negative([0, -1])
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: Condition x >= 0 did not hold element-wise: ...
    """
    return _assert(x, ">= 0", 0, message, summarize)


def assert_negative(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> object:
    """Raise InvalidArgumentError unless x < 0 in every element; DTypeError if x has no order.

    >>> assert_negative([-0.5, -2.0])
    >>> assert_negative([0.0, -2.0])
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: Condition x < 0 did not hold element-wise: ...
    """
    return _assert(x, "< 0", 0, message, summarize)


def assert_non_positive(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> object:
    """Raise InvalidArgumentError unless x <= 0 in every element; DTypeError if x has no order.

    >>> assert_non_positive([0, -1])
    >>> assert_non_positive([0, 1])
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: Condition x <= 0 did not hold element-wise: ...
    """
    return _assert(x, "<= 0", 0, message, summarize)


def assert_near(
    x: TensorLike,
    y: TensorLike,
    rtol: TensorLike | None = None,
    atol: TensorLike | None = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise InvalidArgumentError unless |x - y| < atol + rtol * |y| in every element.

    Args:
        rtol, atol: by default ten times the distance from 1 to the next number of the dtype.

    >>> assert_near([1.0], [1.5], rtol=1.0)
    """
    (left, right), _ = matched((x, y), "assert_near")
    if not left.dtype.is_floating and not left.dtype.is_complex:
        raise DTypeError(f"assert_near compares floats, not {left.dtype.name}: write assert_equal")
    real = left.dtype.real_dtype
    least = 10 * np.finfo(real.np_dtype).eps
    share = to_tensor(least if rtol is None else rtol, real)
    rest = to_tensor(least if atol is None else atol, real)
    near = less(abs_(subtract(left, right)), add(rest, multiply(share, abs_(right))))
    head = "" if message is None else f"{plain_text(message, 'message')}\n"
    words = f"{head}x and y not equal to tolerance rtol = {_shown(share)}, atol = {_shown(rest)}"
    Assert(reduce_all(near), [words, "x = ", left, "y = ", right], summarize)


def Assert(
    condition: TensorLike, data: TensorLike, summarize: int | None = None, name: str | None = None
) -> object:
    """Raise InvalidArgumentError with `data` in its message when `condition` is false.

    Args:
        condition: a Python bool or a scalar bool tensor.
        data: a list of values for the message that can be converted to tensors, such as strings.
        summarize: the number of elements shown at each end of a dimension, 3 by default; -1 shows
            all.

    >>> Assert(False, ["x:", [1, 2]])
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: Expected the condition to be true. Summarized data: ...
    """
    if not isinstance(data, (list, tuple)):
        raise ArgumentValueError("data of an Assert must be a list of the values in its message")
    inputs = (scalar_bool(condition, "the condition of an Assert"), *map(to_tensor, data))
    return _checked(ASSERT_DATA, inputs, summarize=_edge(summarize))


def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Return a floating tensor unchanged; InvalidArgumentError when it holds NaN or infinity.

    >>> check_numerics([1.0, 2.0], "the loss").numpy().tolist()
    [1.0, 2.0]
    >>> check_numerics([1.0, float("nan")], "the loss")
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: the loss : Tensor had NaN values
    """
    checked: Tensor = apply(
        CHECK_NUMERICS, (to_tensor(tensor),), message=plain_text(message, "message")
    )
    return checked


def assert_all_finite(x: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Return a floating tensor unchanged; InvalidArgumentError when it holds NaN or infinity.

    >>> assert_all_finite([1.0, float("inf")], "the loss")
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: the loss : Tensor had Inf values
    """
    return check_numerics(x, message)


def _assert(x: Any, relation: str, y: Any, message: str | None, summarize: int | None) -> Any:
    operands, _ = matched((x, y), "assert")
    if relation not in ("==", "!=") and operands[0].dtype.kind in "cO":
        raise DTypeError(f"{operands[0].dtype.name} has no order: x {relation.split()[0]} y")
    words = plain_text(message, "message", "")
    attrs = {"message": words, "summarize": _edge(summarize)}
    return _checked(ASSERT_RELATION, operands, relation=relation, **attrs)


def _checked(op: Op, inputs: Sequence[Tensor], **attrs: Any) -> Any:
    """Apply a check; while tracing, run it at once if its operands are known.

    A check in a branch or loop, or one whose error a handler may catch, waits for run time.
    """
    recorder: Any = current_recorder()
    if recorder is not None and recorder.outer is None and not recorder.try_scopes:
        arrays = [static_value(tensor) for tensor in inputs]
        known = [array for array in arrays if array is not None]
        if len(known) == len(arrays):
            run_kernel(op, known, attrs)
            return None
    apply(op, inputs, **attrs)
    return last_session_node()


def _edge(summarize: int | None) -> int:
    return 3 if summarize is None else static_int(summarize, "summarize")


def _shown(tolerance: Tensor) -> str:
    array = static_value(tolerance)
    return "a tensor" if array is None else str(array)


def _relation_kernel(
    x: Array, y: Array, *, relation: Relation, message: str, summarize: int
) -> tuple[()]:
    symbol, _, zero = relation.partition(" ")
    infer.broadcast(TensorSpec.of_array(x), TensorSpec.of_array(y))
    holds = RELATIONS[symbol](x, y)
    if np.all(holds):
        return ()
    head = f"{message}\n" if message else ""
    if not zero:
        text = _relation_text(x, y, np.asarray(holds), relation, summarize)
        raise InvalidArgumentError(head + text)
    kind = TensorSpec.of_array(x)
    raise InvalidArgumentError(
        f"{head}Condition x {relation} did not hold element-wise:\n"
        f"x (shape={kind.shape} dtype={kind.dtype.name}) = \n{array_text(x, summarize)}"
    )


def _relation_text(x: Array, y: Array, holds: Array, relation: str, summarize: int) -> str:
    """Return the message for a failed relation, with the indices and values where it fails."""
    count = None if summarize < 0 else summarize
    places = np.argwhere(~holds)[:count]
    lines = [f"Condition x {relation} y did not hold."]
    if holds.ndim:
        lines += [f"Indices of first {len(places)} different values:", array_text(places, -1)]
    for name, array in (("x", x), ("y", y)):
        values = np.broadcast_to(array, holds.shape)[~holds][:count]
        lines += [f"Corresponding {name} values:", array_text(values, -1)]
    for name, array in (("x", x), ("y", y)):
        first = array.reshape(-1)[:count]
        lines += [f"First {len(first)} elements of {name}:", array_text(first, -1)]
    return "\n".join(lines)


def _relation_infer(x: TensorSpec, y: TensorSpec, **attrs: object) -> tuple[()]:
    x.shape.broadcast(y.shape)
    return ()


def _data_kernel(condition: Array, *data: Array, summarize: int) -> tuple[()]:
    infer.check_scalar(TensorSpec.of_array(condition), "the condition of an Assert")
    if condition:
        return ()
    shown = "\n".join(_datum(each, summarize) for each in data)
    raise InvalidArgumentError(f"Expected the condition to be true. Summarized data: {shown}")


def _datum(array: Array, summarize: int) -> str:
    if array.ndim == 0 and array.dtype.kind == "O":
        return bytes_text(array.item())
    return array_text(array, summarize)


def _numerics_kernel(x: Array, *, message: str) -> Array:
    found = [word for word, is_bad in _BAD.items() if np.any(is_bad(x))]
    if found:
        raise InvalidArgumentError(f"{message} : Tensor had {' and '.join(found)} values")
    return x


def _numerics_infer(x: TensorSpec, *, message: str) -> TensorSpec:
    return x


_BAD: dict[str, Callable[[Array], Any]] = {"Inf": np.isinf, "NaN": np.isnan}

ASSERT_RELATION = define(
    "assert_relation",
    _relation_kernel,
    _relation_infer,
    effects="io",
    tensorflow_name="Assert",
    n_outputs=0,
)
ASSERT_DATA = define(
    "assert_data",
    _data_kernel,
    lambda *specs, summarize: (),
    effects="io",
    tensorflow_name="Assert",
    n_outputs=0,
)
CHECK_NUMERICS = define(
    "check_numerics",
    _numerics_kernel,
    _numerics_infer,
    kinds="f",
    grad=lambda dys, outputs, inputs, message: dys,
    effects="io",
    tensorflow_name="CheckNumericsV2",
)
