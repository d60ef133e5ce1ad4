"""Softmax, its logarithm, and the cross entropies of softmax."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32
from runtime.core.shapes import AxisLike
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import infer
from runtime.ops.arguments import static_int
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import of_one_shape
from runtime.ops.convert import is_tensor_like, matched, strong_cast, to_tensor
from runtime.ops.elementwise.unary import exp
from runtime.ops.neural import activation_kernels
from runtime.ops.neural.sparse_cross_entropy import LOSSES
from runtime.ops.op import Op, apply, define


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
