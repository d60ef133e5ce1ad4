"""Activations: relu, elu, gelu, silu, softplus, selu, ..., with their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.argument_checks import flag, number
from runtime.core.dtypes import float32
from runtime.core.shapes import AxisLike
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, DTypeValueError
from runtime.ops import infer
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.convert import strong_cast, to_tensor, unary
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import erf, exp, sigmoid, square, tanh
from runtime.ops.gradient_rules import one_input
from runtime.ops.neural import activation_kernels
from runtime.ops.op import Op, apply, define


def _relu(x: Array) -> Array:
    return np.maximum(x, x.dtype.type(0))


def _relu6_grad(dy: Any, y: Any, x: Any) -> Any:
    return dy * apply(RELU_SLOPE, (y,)) * apply(RELU_SLOPE, (6 - y,))


def _elu_grad(dy: Any, y: Any, x: Any) -> Any:
    return dy * where(y < 0, y + 1, to_tensor(1, dy.dtype))


def _activation(name: str, kernel: Any, kinds: str, tensorflow_name: str, grad: Any) -> Op:
    grad = one_input(grad)
    return define(name, kernel, infer.same, kinds=kinds, grad=grad, tensorflow_name=tensorflow_name)


RELU_SLOPE = define(
    "relu_grad",
    activation_kernels.relu_grad,
    infer.same,
    kinds="iuf",
    grad=one_input(lambda dy, y, x: zeros_like(x)),
)
# Their gradients are computed from the results, so that second gradients are zeros, as in
# TensorFlow. NaN counts as not positive: its gradient is 0 for relu, and 1 for elu.
RELU = _activation("relu", _relu, "iuf", "Relu", grad=lambda dy, y, x: dy * apply(RELU_SLOPE, (y,)))
RELU6 = define(
    "relu6",
    activation_kernels.relu6,
    infer.same,
    kinds="iuf",
    grad=one_input(_relu6_grad),
    tensorflow_name="Relu6",
)
ELU = _activation("elu", activation_kernels.elu, "f", "Elu", grad=_elu_grad)
SOFTPLUS = _activation(
    "softplus", activation_kernels.softplus, "f", "Softplus", grad=lambda dy, y, x: dy * sigmoid(x)
)
SOFTSIGN = _activation(
    "softsign",
    activation_kernels.softsign,
    "f",
    "Softsign",
    grad=lambda dy, y, x: dy / square(abs(x) + 1),
)


def relu(features: TensorLike, name: str | None = None) -> Tensor:
    """Return the positive part, 0 for negative numbers.

    >>> print(relu([-1.0, 2.0]))
    rt.Tensor([0. 2.], shape=(2,), dtype=float32)
    """
    return unary(RELU, features)


def relu6(features: TensorLike, name: str | None = None) -> Tensor:
    """Return the numbers clipped to 0 and 6.

    >>> print(relu6([-1.0, 9.0]))
    rt.Tensor([0. 6.], shape=(2,), dtype=float32)
    """
    return unary(RELU6, features)


def leaky_relu(features: TensorLike, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """Return x above 0, else x times `alpha`; integers become float32.

    >>> print(leaky_relu([-1.0, 2.0], alpha=0.5))
    rt.Tensor([-0.5  2. ], shape=(2,), dtype=float32)
    """
    x: Any = to_tensor(features)
    if x.dtype.is_integer:
        x = strong_cast(x, float32)
    return where(x > 0, x, x * number(alpha, "alpha"))


def elu(features: TensorLike, name: str | None = None) -> Tensor:
    """Return x above 0, else exp(x) - 1.

    >>> print(elu([0.0, 2.0]))
    rt.Tensor([0. 2.], shape=(2,), dtype=float32)
    """
    return unary(ELU, features)


def gelu(features: TensorLike, approximate: bool = False, name: str | None = None) -> Tensor:
    """Return x times the probability that a standard normal number is smaller; floats only.

    Args:
        approximate: whether to approximate the probability with tanh.

    Raises:
        DTypeValueError: `features` are not floats.

    >>> print(gelu([0.0]))
    rt.Tensor([0.], shape=(1,), dtype=float32)
    """
    x: Any = to_tensor(features)
    if not x.dtype.is_floating:
        words = "write rt.cast(x, rt.float32)"
        raise DTypeValueError(f"gelu works on floats, not on {x.dtype.name}: {words}")
    if not flag(approximate, "approximate"):
        chance: Tensor = x * 0.5 * (erf(x * float(np.sqrt(0.5))) + 1.0)
        return chance
    scaled = (x + x * x * x * 0.044715) * float(np.sqrt(2 / np.pi))
    return x * 0.5 * (tanh(scaled) + 1.0)


def silu(features: TensorLike, beta: float = 1.0) -> Tensor:
    """Return x * sigmoid(beta * x), also known as swish.

    >>> print(silu([0.0]))
    rt.Tensor([0.], shape=(1,), dtype=float32)
    """
    x: Any = to_tensor(features)
    return x * sigmoid(x * number(beta, "beta"))


swish = silu


def softplus(features: TensorLike, name: str | None = None) -> Tensor:
    """Return log(1 + exp(x)), without overflow.

    >>> print(softplus([1000.0]))
    rt.Tensor([1000.], shape=(1,), dtype=float32)
    """
    return unary(SOFTPLUS, features)


def softsign(features: TensorLike, name: str | None = None) -> Tensor:
    """Return x / (1 + abs(x)).

    >>> print(softsign([-1.0]))
    rt.Tensor([-0.5], shape=(1,), dtype=float32)
    """
    return unary(SOFTSIGN, features)


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
