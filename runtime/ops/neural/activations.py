"""Further activations: selu, crelu, hard_sigmoid, mish, exponential, linear."""

from __future__ import annotations

from typing import Any

from runtime.core.shapes import AxisLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import concat
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import exp, tanh
from runtime.ops.neural.functions import elu, relu, relu6, softplus

# With these, selu keeps inputs of mean 0 and variance 1 so: Klambauer and others,
# Self-Normalizing Neural Networks.
SELU_ALPHA = 1.6732632423543772
SELU_SCALE = 1.0507009873554805


def selu(features: TensorLike, name: str | None = None) -> Tensor:
    """Return scale * x above 0, else scale * alpha * (exp(x) - 1).

    >>> print(selu([0.0, 1.0]))
    rt.Tensor([0.       1.050701], shape=(2,), dtype=float32)
    """
    x: Any = _floats(features, "selu")
    result: Tensor = where(x >= 0, x, elu(x) * SELU_ALPHA) * SELU_SCALE
    return result


def crelu(features: TensorLike, axis: AxisLike = -1, name: str | None = None) -> Tensor:
    """Return the positive parts of x and of -x, concatenated along `axis`.

    >>> print(crelu([1.0, -2.0]))
    rt.Tensor([1. 0. 0. 2.], shape=(4,), dtype=float32)
    """
    x: Any = to_tensor(features)
    return relu(concat([x, -x], static_int(axis, "axis")))


def hard_sigmoid(x: Any) -> Tensor:
    """Return x / 6 + 1 / 2 clipped to 0 and 1.

    >>> print(hard_sigmoid([-3.0, 0.0, 9.0]))
    rt.Tensor([0.  0.5 1. ], shape=(3,), dtype=float32)
    """
    values: Any = _floats(x, "hard_sigmoid")
    result: Tensor = relu6(values + 3.0) / 6.0
    return result


def mish(x: Any) -> Tensor:
    """Return x * tanh(log(1 + exp(x))).

    >>> print(mish([0.0]))
    rt.Tensor([0.], shape=(1,), dtype=float32)
    """
    values: Any = _floats(x, "mish")
    result: Tensor = values * tanh(softplus(values))
    return result


def exponential(x: Any) -> Tensor:
    """Return exp(x).

    >>> print(exponential([0.0]))
    rt.Tensor([1.], shape=(1,), dtype=float32)
    """
    return exp(x)


def linear(x: Any) -> Tensor:
    """Return x as a tensor.

    >>> print(linear([1.0]))
    rt.Tensor([1.], shape=(1,), dtype=float32)
    """
    return to_tensor(x)


def _floats(x: Any, what: str) -> Tensor:
    tensor = to_tensor(x)
    if not tensor.dtype.is_floating:
        raise DTypeError(f"{what} works on floats, not on {tensor.dtype.name}: use rt.cast")
    return tensor
