"""Activation functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from runtime.core.argument_checks import flag, number
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.nn.registry import Identifier, ObjectRegistry
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import split
from runtime.ops.arrays.creation import ones_like, zeros_like
from runtime.ops.arrays.cumulative import cumsum
from runtime.ops.arrays.reduction import reduce_max, reduce_sum
from runtime.ops.arrays.sorting import sort
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import clip_by_value, maximum, minimum
from runtime.ops.elementwise.comparison import greater, less
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import erf, exp, sigmoid, sqrt, tanh
from runtime.ops.infer import axis_of
from runtime.ops.neural.activations import elu as plain_elu
from runtime.ops.neural.activations import gelu as plain_gelu
from runtime.ops.neural.activations import leaky_relu as plain_leaky_relu
from runtime.ops.neural.activations import relu as plain_relu
from runtime.ops.neural.activations import relu6, silu, softplus, softsign
from runtime.ops.neural.softmax import log_softmax, softmax


def celu(x: TensorLike, alpha: float = 1.0) -> Tensor:
    """Return x above 0, else alpha * (exp(x / alpha) - 1); Barron (2017).

    >>> print(celu([0.0, 2.0]))
    rt.Tensor([0. 2.], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    scale = number(alpha, "alpha")
    found: Tensor = maximum(tensor, 0.0) + scale * (exp(minimum(tensor, 0.0) / scale) - 1.0)
    return found


def glu(x: TensorLike, axis: int = -1) -> Tensor:
    """Return the first half along an axis, times the sigmoid of the second; Dauphin et al. (2016).

    >>> print(glu([3.0, 0.0]))
    rt.Tensor([1.5], shape=(1,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    axis = static_int(axis, "axis")
    rank = tensor.shape.rank
    size = tensor.shape[axis_of(axis, rank)] if rank else None
    if rank == 0 or (size is not None and size % 2):
        raise ShapeError(
            f"glu halves axis {axis}, which must have an even size, not shape {tensor.shape}"
        )
    value, gate = split(tensor, 2, axis)
    found: Tensor = value * sigmoid(gate)
    return found


def hard_shrink(x: TensorLike, threshold: float = 0.5) -> Tensor:
    """Return x, with 0 where its magnitude is at most `threshold`.

    >>> print(hard_shrink([0.25, -1.0]))
    rt.Tensor([ 0. -1.], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    return where(greater(abs(tensor), number(threshold, "threshold")), tensor, zeros_like(tensor))


def log_sigmoid(x: TensorLike) -> Tensor:
    """Return the logarithm of the sigmoid.

    >>> round(float(log_sigmoid(0.0)), 4)
    -0.6931
    """
    tensor: Any = to_tensor(x)
    found: Tensor = -softplus(-tensor)
    return found


def soft_shrink(x: TensorLike, threshold: float = 0.5) -> Tensor:
    """Return x moved towards 0 by `threshold`, and 0 where it would cross 0.

    >>> print(soft_shrink([0.25, -1.0]))
    rt.Tensor([ 0.  -0.5], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    far = number(threshold, "threshold")
    below = where(less(tensor, -far), tensor + far, zeros_like(tensor))
    return where(greater(tensor, far), tensor - far, below)


def sparse_plus(x: TensorLike) -> Tensor:
    """Return 0 below -1, x above 1, and (x + 1) ** 2 / 4 between.

    >>> print(sparse_plus([-2.0, 0.0, 3.0]))
    rt.Tensor([0.   0.25 3.  ], shape=(3,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    inside = clip_by_value(tensor, -1.0, 1.0) + 1.0
    return where(greater(tensor, 1.0), tensor, inside * inside / 4.0)


def sparse_sigmoid(x: TensorLike) -> Tensor:
    """Return 0 below -1, 1 above 1, and (x + 1) / 2 between.

    >>> print(sparse_sigmoid([-2.0, 0.0, 3.0]))
    rt.Tensor([0.  0.5 1. ], shape=(3,), dtype=float32)
    """
    found: Tensor = (clip_by_value(x, -1.0, 1.0) + 1.0) / 2.0
    return found


def sparsemax(x: TensorLike, axis: int = -1) -> Tensor:
    """Return probabilities along an axis, of which many are 0; Martins and Astudillo (2016).

    >>> print(sparsemax([1.0, 2.0]))
    rt.Tensor([0. 1.], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    ordered: Any = sort(tensor, axis, "DESCENDING")
    places = cumsum(ones_like(ordered), axis)
    sums: Any = cumsum(ordered, axis)
    # The support: the number of largest elements whose probability is not 0.
    stays = cast(greater(1.0 + places * ordered, sums), tensor.dtype)
    number_kept: Any = reduce_max(stays * places, axis, keepdims=True)
    kept_sum: Any = reduce_sum(stays * ordered, axis, keepdims=True)
    return maximum(tensor - (kept_sum - 1.0) / number_kept, 0.0)


def squareplus(x: TensorLike, b: float = 4) -> Tensor:
    """Return (x + sqrt(x ** 2 + b)) / 2; Barron (2021).

    >>> print(squareplus([0.0]))
    rt.Tensor([1.], shape=(1,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    found: Tensor = (tensor + sqrt(tensor * tensor + number(b, "b"))) / 2.0
    return found


def tanh_shrink(x: TensorLike) -> Tensor:
    """Return x - tanh(x).

    >>> print(tanh_shrink([0.0]))
    rt.Tensor([0.], shape=(1,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    found: Tensor = tensor - tanh(tensor)
    return found


def threshold(x: TensorLike, threshold: float, default_value: float) -> Tensor:
    """Return x where it is above a number, else another number.

    >>> print(threshold([1.0, 3.0], 2.0, 0.0))
    rt.Tensor([0. 3.], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    other = number(default_value, "default_value") * ones_like(tensor)
    return where(greater(tensor, number(threshold, "threshold")), tensor, other)


# -- activation functions, as layers name them -----------------------------------------------------


# Klambauer et al., Self-Normalizing Neural Networks (2017).
_SELU_ALPHA = 1.6732632423543772
_SELU_SCALE = 1.0507009873554805


def linear(x: TensorLike) -> Any:
    """Return x unchanged.

    >>> float(linear(2.0))
    2.0
    """
    return x


def relu(
    x: TensorLike,
    negative_slope: float = 0.0,
    max_value: float | None = None,
    threshold: float = 0.0,
) -> Tensor:
    """Return x above `threshold`; below it `negative_slope` times the distance from it.

    Args:
        max_value: the maximum of the result.

    >>> print(relu([-1.0, 3.0, 9.0], negative_slope=0.5, max_value=6.0))
    rt.Tensor([-0.5  3.   6. ], shape=(3,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    gradient, least = number(negative_slope, "negative_slope"), number(threshold, "threshold")
    if gradient == 0 and least == 0:
        result: Tensor = plain_relu(tensor)
    else:
        result = where(greater(tensor, least), tensor, (tensor - least) * gradient)
    return result if max_value is None else minimum(result, max_value)


def elu(x: TensorLike, alpha: float = 1.0) -> Tensor:
    """Return x above 0, else alpha * (exp(x) - 1).

    >>> print(elu([0.0, 2.0], alpha=2.0))
    rt.Tensor([0. 2.], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    if number(alpha, "alpha") == 1.0:
        return plain_elu(tensor)
    return where(greater(tensor, 0.0), tensor, plain_elu(tensor) * alpha)


def leaky_relu(x: TensorLike, negative_slope: float = 0.2) -> Tensor:
    """Return x above 0, else x times `negative_slope`.

    >>> print(leaky_relu([-1.0, 2.0], negative_slope=0.5))
    rt.Tensor([-0.5  2. ], shape=(2,), dtype=float32)
    """
    return plain_leaky_relu(x, negative_slope)


def gelu(x: TensorLike, approximate: bool = False) -> Tensor:
    """Return x times the probability that a standard normal number is smaller.

    Args:
        approximate: whether to approximate with tanh, which is faster.

    >>> print(gelu([0.0]))
    rt.Tensor([0.], shape=(1,), dtype=float32)
    """
    if flag(approximate, "approximate"):
        return plain_gelu(x, approximate=True)
    tensor: Any = to_tensor(x)
    result: Tensor = tensor * 0.5 * (erf(tensor * 0.7071067811865476) + 1.0)
    return result


def selu(x: TensorLike) -> Tensor:
    """Return the elu, scaled so that layers keep mean 0 and variance 1.

    >>> print(selu([0.0, 1.0]))
    rt.Tensor([0.       1.050701], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    scaled: Any = where(greater(tensor, 0.0), tensor, elu(tensor) * _SELU_ALPHA)
    result: Tensor = scaled * _SELU_SCALE
    return result


def exponential(x: TensorLike) -> Tensor:
    """Return e to the power of x.

    >>> print(exponential([0.0]))
    rt.Tensor([1.], shape=(1,), dtype=float32)
    """
    return exp(x)


def hard_sigmoid(x: TensorLike) -> Tensor:
    """Return x / 6 + 1/2, clipped to 0 and 1.

    >>> print(hard_sigmoid([-3.0, 0.0, 9.0]))
    rt.Tensor([0.  0.5 1. ], shape=(3,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    return relu6(tensor + 3.0) / 6.0


def hard_silu(x: TensorLike) -> Tensor:
    """Return x times its hard sigmoid.

    >>> print(hard_silu([3.0]))
    rt.Tensor([3.], shape=(1,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    result: Tensor = tensor * hard_sigmoid(tensor)
    return result


def mish(x: TensorLike) -> Tensor:
    """Return x * tanh(softplus(x)).

    >>> print(mish([0.0]))
    rt.Tensor([0.], shape=(1,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    result: Tensor = tensor * tanh(softplus(tensor))
    return result


def hard_tanh(x: TensorLike) -> Tensor:
    """Return x clipped to -1 and 1.

    >>> print(hard_tanh([-3.0, 0.5]))
    rt.Tensor([-1.   0.5], shape=(2,), dtype=float32)
    """
    return clip_by_value(x, -1.0, 1.0)


swish = silu
hard_swish = hard_silu

_CATALOGUE = ObjectRegistry(
    "activation",
    None,
    {
        "threshold": threshold,
        "tanh_shrink": tanh_shrink,
        "squareplus": squareplus,
        "sparsemax": sparsemax,
        "sparse_sigmoid": sparse_sigmoid,
        "sparse_plus": sparse_plus,
        "soft_shrink": soft_shrink,
        "log_sigmoid": log_sigmoid,
        "hard_shrink": hard_shrink,
        "glu": glu,
        "celu": celu,
        "elu": elu,
        "exponential": exponential,
        "gelu": gelu,
        "hard_sigmoid": hard_sigmoid,
        "hard_silu": hard_silu,
        "hard_swish": hard_silu,
        "hard_tanh": hard_tanh,
        "leaky_relu": leaky_relu,
        "linear": linear,
        "log_softmax": log_softmax,
        "mish": mish,
        "relu": relu,
        "relu6": relu6,
        "selu": selu,
        "sigmoid": sigmoid,
        "silu": silu,
        "softmax": softmax,
        "softplus": softplus,
        "softsign": softsign,
        "swish": silu,
        "tanh": tanh,
    },
)


def get(identifier: Identifier | None) -> Callable[..., Tensor]:
    """Return the activation of an identifier: a name, or a function; None means `linear`.

    >>> get("relu") is relu, get(None) is linear
    (True, True)
    """
    return linear if identifier is None else _CATALOGUE.get(identifier)


def serialize(activation: Identifier) -> Any:
    """Return the name or config that `get` finds an activation by.

    >>> serialize(relu)
    'relu'
    """
    return _CATALOGUE.config_of(activation)


def deserialize(
    config: Mapping[str, object], custom_objects: Mapping[str, Any] | None = None
) -> Any:
    """Return the activation for a name or config from `serialize`.

    Args:
        custom_objects: more classes and functions by name.

    >>> deserialize("relu") is relu
    True
    """
    known = _CATALOGUE.with_custom(custom_objects)
    return get(config) if known is _CATALOGUE else known.get(config)
