"""Checks of values: `assert_equal`, `assert_positive`, ..., raising InvalidArgumentError.

In a graph each is a node that runs on every call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.errors import InvalidArgumentError
from runtime.ops.convert import matched, to_tensor
from runtime.ops.op import apply, define
from runtime.ops.print_format import array_text
from runtime.spec import TensorSpec
from runtime.tensor import Array, Tensor

RELATIONS: dict[str, Callable[[Array, Array], Any]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def assert_equal(x: Any, y: Any, message: str | None = None, summarize: int = 3) -> None:
    """Raise InvalidArgumentError unless x == y in every element (they broadcast).

    >>> assert_equal([1, 2], [1, 3], "labels")
    Traceback (most recent call last):
    runtime.errors.InvalidArgumentError: labels: expected x == y in every element, found ...
    """
    _assert(x, "==", y, message, summarize)


def assert_none_equal(x: Any, y: Any, message: str | None = None, summarize: int = 3) -> None:
    """Raise InvalidArgumentError unless x != y in every element."""
    _assert(x, "!=", y, message, summarize)


def assert_less(x: Any, y: Any, message: str | None = None, summarize: int = 3) -> None:
    """Raise InvalidArgumentError unless x < y in every element."""
    _assert(x, "<", y, message, summarize)


def assert_less_equal(x: Any, y: Any, message: str | None = None, summarize: int = 3) -> None:
    """Raise InvalidArgumentError unless x <= y in every element."""
    _assert(x, "<=", y, message, summarize)


def assert_greater(x: Any, y: Any, message: str | None = None, summarize: int = 3) -> None:
    """Raise InvalidArgumentError unless x > y in every element."""
    _assert(x, ">", y, message, summarize)


def assert_greater_equal(x: Any, y: Any, message: str | None = None, summarize: int = 3) -> None:
    """Raise InvalidArgumentError unless x >= y in every element."""
    _assert(x, ">=", y, message, summarize)


def assert_positive(x: Any, message: str | None = None, summarize: int = 3) -> None:
    """Raise InvalidArgumentError unless x > 0 in every element."""
    _assert(x, ">", 0, message, summarize)


def assert_non_negative(x: Any, message: str | None = None, summarize: int = 3) -> None:
    """Raise InvalidArgumentError unless x >= 0 in every element."""
    _assert(x, ">=", 0, message, summarize)


def assert_negative(x: Any, message: str | None = None, summarize: int = 3) -> None:
    """Raise InvalidArgumentError unless x < 0 in every element."""
    _assert(x, "<", 0, message, summarize)


def assert_non_positive(x: Any, message: str | None = None, summarize: int = 3) -> None:
    """Raise InvalidArgumentError unless x <= 0 in every element."""
    _assert(x, "<=", 0, message, summarize)


def check_numerics(tensor: Any, message: str) -> Tensor:
    """Return a floating tensor unchanged; InvalidArgumentError when it holds NaN or infinity."""
    checked: Tensor = apply(CHECK_NUMERICS, (to_tensor(tensor),), message=message)
    return checked


def _assert(x: Any, relation: str, y: Any, message: str | None, summarize: int) -> None:
    operands, _ = matched((x, y), "assert")
    apply(ASSERT_RELATION, operands, relation=relation, message=message or "", summarize=summarize)


def _relation_kernel(
    x: Array, y: Array, *, relation: str, message: str, summarize: int
) -> tuple[()]:
    if np.all(RELATIONS[relation](x, y)):
        return ()
    found = f"x = {array_text(x, summarize)}, y = {array_text(y, summarize)}"
    prefix = f"{message}: " if message else ""
    raise InvalidArgumentError(f"{prefix}expected x {relation} y in every element, found {found}")


def _relation_infer(x: TensorSpec, y: TensorSpec, **attrs: object) -> tuple[()]:
    x.shape.broadcast(y.shape)
    return ()


def _numerics_kernel(x: Array, *, message: str) -> Array:
    for word, is_bad in (("NaN", np.isnan), ("infinite", np.isinf)):
        if np.any(is_bad(x)):
            raise InvalidArgumentError(f"{message}: the tensor has {word} values")
    return x


def _numerics_infer(x: TensorSpec, *, message: str) -> TensorSpec:
    return x


ASSERT_RELATION = define(
    "assert_relation",
    _relation_kernel,
    _relation_infer,
    effects="io",
    lower={"graphdef": "Assert"},
    n_outputs=0,
)
CHECK_NUMERICS = define(
    "check_numerics",
    _numerics_kernel,
    _numerics_infer,
    kinds="f",
    effects="io",
    lower={"graphdef": "CheckNumericsV2"},
)
