"""Gradients of reductions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.ops.convert import strong_cast
from runtime.ops.grad.broadcasting import ratio_of_sizes, reshaped_like, spread
from runtime.ops.gradient_rules import call, holomorphic

Axes = tuple[int, ...] | None


def _of_reduction(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Return the gradient of a reduction from `rule(dy, y, x, again, axis)`.

    `again` broadcasts values of the result's shape over the reduced elements.
    """

    def grad(dys: Any, outputs: Any, inputs: Any, *, axis: Axes, keepdims: bool) -> tuple[Any]:
        x = inputs[0]

        def again(reduced: Any) -> Any:
            return spread(reduced, x, axis, keepdims)

        return (rule(dys[0], outputs[0], x, again, axis),)

    return grad


def _mean(dy: Any, y: Any, x: Any, again: Any, axis: Axes) -> Any:
    return again(dy * ratio_of_sizes(y, x, dy.dtype))


def _extreme(dy: Any, y: Any, x: Any, again: Any, axis: Axes) -> Any:
    """Share the gradient evenly among equal extremes."""
    chosen = strong_cast(call("equal", again(y), x), x.dtype)
    ties = call("reduce_sum", chosen, axis=axis, keepdims=True)
    return chosen / ties * again(dy)


def _log_sum_exp(dy: Any, y: Any, x: Any, again: Any, axis: Axes) -> Any:
    return again(dy) * call("exp", x - again(y))


def _from_mean(x: Any, axis: Axes) -> Any:
    return x - call("reduce_mean", x, axis=axis, keepdims=True)


def _variance(dy: Any, y: Any, x: Any, again: Any, axis: Axes) -> Any:
    return again(dy * 2 * ratio_of_sizes(y, x, dy.dtype)) * _from_mean(x, axis)


def _deviation(dy: Any, y: Any, x: Any, again: Any, axis: Axes) -> Any:
    gradient = call("multiply_no_nan", 1 / y, dy)
    return again(gradient * ratio_of_sizes(y, x, dy.dtype)) * _from_mean(x, axis)


def _product(dys: Any, outputs: Any, inputs: Any, *, axis: Axes, keepdims: bool) -> tuple[Any]:
    """Multiply by the product of all other elements, which is also correct for zeros.

    A product along several axes is computed axis by axis.
    """
    x, dy = inputs[0], dys[0]
    if axis is None:
        flat = call("reshape", x, shape=(-1,))
        return (reshaped_like(call("reshape", dy, shape=(1,)) * _others(flat, 0), x),)
    if not axis:
        return (dy,)
    stages = [x]
    for each in axis[:-1]:
        stages.append(call("reduce_prod", stages[-1], axis=(each,), keepdims=True))
    dx: Any = spread(dy, stages[-1], axis, keepdims)
    for stage, each in zip(reversed(stages), reversed(axis), strict=True):
        dx = dx * _others(stage, each)
    return (dx,)


def _others(x: Any, axis: int) -> Any:
    before, after = (
        call("cumprod", x, axis=axis, exclusive=True, reverse=reverse) for reverse in (False, True)
    )
    return before * after


SUM = _of_reduction(lambda dy, y, x, again, axis: again(dy))
MEAN = _of_reduction(_mean)
EXTREME = _of_reduction(_extreme)
PROD = holomorphic(_product)
LOGSUMEXP = _of_reduction(_log_sum_exp)
VARIANCE = _of_reduction(_variance)
STD = _of_reduction(_deviation)
