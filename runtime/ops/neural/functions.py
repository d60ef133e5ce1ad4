"""Activations, softmax, cross entropies, moments, Euclidean norms and bias addition."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.argument_checks import flag, number, plain_text
from runtime.core.dtypes import float32, int32
from runtime.core.shapes import AxisLike
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeValueError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.creation import ones_like, zeros_like
from runtime.ops.arrays.reduction import reduce_mean, reduce_sum
from runtime.ops.arrays.shape import of_one_shape, of_rank, reshape, shape
from runtime.ops.convert import is_tensor_like, matched, strong_cast, to_tensor, unary
from runtime.ops.elementwise.arithmetic import add, maximum
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import erf, exp, rsqrt, sigmoid, square, tanh
from runtime.ops.gradient_rules import BROADCAST_LIKE, one_input
from runtime.ops.neural import activation_kernels
from runtime.ops.neural.sparse_cross_entropy import LOSSES
from runtime.ops.op import Op, apply, define


def _relu(x: Array) -> Array:
    return np.maximum(x, x.dtype.type(0))


def _relu6_grad(dy: Any, y: Any, x: Any) -> Any:
    return dy * apply(RELU_SLOPE, (y,)) * apply(RELU_SLOPE, (6 - y,))


def _elu_grad(dy: Any, y: Any, x: Any) -> Any:
    return dy * where(y < 0, y + 1, to_tensor(1, dy.dtype))


def _softmax_infer(logits: TensorSpec, *, axis: int) -> TensorSpec:
    infer.check_rank_at_least(logits, 1)
    infer.checked_axes(logits, axis)
    return logits.unnamed()


def _softmax_grad(dys: Any, outputs: Any, inputs: Any, *, axis: int) -> tuple[Any]:
    dy, y = dys[0], outputs[0]
    return ((dy - reduce_sum(dy * y, axis, keepdims=True)) * y,)


def _log_softmax_grad(dys: Any, outputs: Any, inputs: Any, *, axis: int) -> tuple[Any]:
    dy, y = dys[0], outputs[0]
    return (dy - exp(y) * reduce_sum(dy, axis, keepdims=True),)


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
SOFTMAX = define(
    "softmax",
    activation_kernels.softmax,
    _softmax_infer,
    kinds="f",
    grad=_softmax_grad,
    tensorflow_name="Softmax",
)
LOG_SOFTMAX = define(
    "log_softmax",
    activation_kernels.log_softmax,
    _softmax_infer,
    kinds="f",
    grad=_log_softmax_grad,
    tensorflow_name="LogSoftmax",
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


def softmax(logits: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Tensor:
    """Return exp(x) over its sum along `axis` (the last by default): the results sum to 1.

    >>> print(softmax([0.0, 0.0]))
    rt.Tensor([0.5 0.5], shape=(2,), dtype=float32)
    """
    return _along(SOFTMAX, logits, axis)


def log_softmax(
    logits: TensorLike, axis: AxisLike | None = None, name: str | None = None
) -> Tensor:
    """Return the logarithm of the softmax along `axis`, without overflow.

    >>> print(log_softmax([[1000.0]]))
    rt.Tensor([[0.]], shape=(1, 1), dtype=float32)
    """
    return _along(LOG_SOFTMAX, logits, axis)


def bias_add(
    value: TensorLike, bias: TensorLike, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """Return value + bias, the bias being a vector along the last axis (axis 1 for NC...).

    Raises:
        ShapeError: `value` has fewer than two dimensions, or `bias` not one number for each
            channel.

    >>> print(bias_add([[1, 2]], [10, 20]))
    rt.Tensor([[11 22]], shape=(1, 2), dtype=int32)
    """
    (x, vector), _ = matched((value, bias), "bias_add")
    vector = of_rank(vector, 1)
    first = data_format is not None and plain_text(data_format, "data_format").startswith("NC")
    vector = _for_channels(x, vector, 1 if first else -1)
    if not first:
        return add(x, apply(BROADCAST_LIKE, (vector, x)))
    return add(x, reshape(vector, concat([[-1], ones_like(shape(x)[2:])], 0)))


def _for_channels(x: Tensor, vector: Tensor, axis: int) -> Tensor:
    """Return a vector with one number per channel, checked at run time if a size is unknown."""
    if x.shape.rank is not None and x.shape.rank < 2:
        raise ShapeError(f"bias_add needs a rank of 2 or more, not a value of shape {x.shape}")
    channels = None if x.shape.rank is None else x.shape[axis]
    if None not in (channels, vector.shape[0]):
        if channels != vector.shape[0]:
            raise ShapeError(f"bias_add: {vector.shape[0]} biases for the channels of {x.shape}")
        return vector
    # The shape of a vector has no sizes after the first one.
    return reshape(vector, [shape(x)[1:][axis - 1 if axis > 0 else axis]])


def l2_loss(t: TensorLike, name: str | None = None) -> Tensor:
    """Return half the sum of squares.

    >>> l2_loss([3.0, 4.0])
    <rt.Tensor: shape=(), dtype=float32, numpy=12.5>
    """
    return reduce_sum(square(t)) / 2


def l2_normalize(
    x: TensorLike,
    axis: AxisLike | None = None,
    epsilon: float = 1e-12,
    name: str | None = None,
    dim: AxisLike | None = None,
) -> Tensor:
    """Return x divided by its Euclidean norm along `axis`; `dim` is an older name of `axis`.

    A sum of squares below `epsilon` counts as `epsilon`.

    >>> print(l2_normalize([3.0, 4.0]))
    rt.Tensor([0.6 0.8], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    if axis is not None and dim is not None:
        raise ArgumentValueError("l2_normalize: give axis or dim, not both")
    total = reduce_sum(square(tensor), dim if axis is None else axis, keepdims=True)
    result: Tensor = tensor * rsqrt(maximum(total, epsilon))
    return result


def moments(
    x: TensorLike,
    axes: AxisLike,
    shift: TensorLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return mean and variance along `axes`; `shift` has no effect.

    >>> mean, variance = moments([1.0, 3.0], [0])
    >>> float(mean), float(variance)
    (2.0, 1.0)
    """
    tensor: Any = to_tensor(x)
    centre = reduce_mean(tensor, axes, keepdims=True)
    variance = reduce_mean(square(tensor - centre), axes, keepdims)
    return (centre if flag(keepdims, "keepdims") else reshape(centre, shape(variance))), variance


def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, name: str | None = None
) -> Tensor:
    """Return -log of the softmax of the true class.

    Args:
        labels: class indices, of the shape of the logits without the last axis.
        logits: floats, the last axis over the classes.

    Raises:
        InvalidArgumentError: a label is no class.

    >>> print(sparse_softmax_cross_entropy_with_logits([0], [[0.0, 0.0]]))
    rt.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    inputs = (to_tensor(labels, dtype_hint=int32), to_tensor(logits))
    return apply(LOSSES, inputs)


def softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, axis: int = -1, name: str | None = None
) -> Tensor:
    """Return the cross entropy of the softmax with `labels`, a distribution along `axis`.

    Integer labels, such as one-hot vectors, are cast to the dtype of the logits.

    >>> print(softmax_cross_entropy_with_logits([[1.0, 0.0]], [[0.0, 0.0]]))
    rt.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    chosen = to_tensor(labels) if is_tensor_like(labels) else labels
    if isinstance(chosen, Tensor) and chosen.dtype.kind in "biu":
        chosen = strong_cast(chosen, to_tensor(logits).dtype)
    pair, _ = matched((chosen, logits), "softmax_cross_entropy")
    wanted, scores = of_one_shape("softmax_cross_entropy", *pair)
    return -reduce_sum(wanted * log_softmax(scores, axis), axis)


def _along(op: Op, logits: Any, axis: Any) -> Tensor:
    along = -1 if axis is None else static_int(axis, "axis")
    return apply(op, (to_tensor(logits),), axis=along)
