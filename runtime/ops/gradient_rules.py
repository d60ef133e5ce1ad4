"""Helpers for gradient rules: an elementwise op states only its derivative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.context import current_watchers
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, Tensor
from runtime.errors import ShapeError
from runtime.ops.arrays.short_reductions import folded
from runtime.ops.infer import same
from runtime.ops.op import REGISTRY, Op, apply, define

Grad = Callable[..., Any]


def _sum_to_like_kernel(x: Array, like: Array) -> Array:
    lead = x.ndim - like.ndim
    stretched = [i + lead for i, size in enumerate(like.shape) if size == 1]
    axes = (*range(lead), *stretched)
    if not axes:
        return x
    found = folded(np.add, x, axes, False)
    if found is None:
        found = np.add.reduce(x, axes, x.dtype)
    return np.asarray(found).reshape(like.shape)


def _broadcast_like_kernel(x: Array, like: Array) -> Array:
    if x.ndim or x.dtype.kind not in "biufc":
        return np.broadcast_to(x, like.shape)
    # One number is broadcast faster by filling.
    found: Array = np.ndarray(like.shape, x.dtype, x, 0, (0,) * like.ndim)
    found.flags.writeable = False
    return found


def _summed_infer(x: TensorSpec, like: TensorSpec) -> TensorSpec:
    if not like.shape.broadcasts_to(x.shape):
        raise ShapeError(f"shape {like.shape} does not broadcast to {x.shape}")
    return TensorSpec(like.shape, x.dtype)


def _broadcast_infer(x: TensorSpec, like: TensorSpec) -> TensorSpec:
    if not x.shape.broadcasts_to(like.shape):
        raise ShapeError(f"shape {x.shape} does not broadcast to {like.shape}")
    return TensorSpec(like.shape, x.dtype)


SUM_TO_LIKE: Op = define(
    "sum_to_like",
    _sum_to_like_kernel,
    _summed_infer,
    kinds="iufc",
    grad=lambda dys, outputs, inputs: (apply(BROADCAST_LIKE, (dys[0], inputs[0])), None),
)
BROADCAST_LIKE: Op = define(
    "broadcast_like",
    _broadcast_like_kernel,
    _broadcast_infer,
    grad=lambda dys, outputs, inputs: (sum_to_like(dys[0], inputs[0]), None),
)
IDENTITY = define(
    "identity",
    lambda x: x,
    same,
    grad=lambda dys, outputs, inputs: dys,
    tensorflow_name="Identity",
)
STOP_GRADIENT = define(
    "stop_gradient",
    lambda x: x,
    same,
    grad=lambda dys, outputs, inputs: (None,),
    tensorflow_name="StopGradient",
)


def result_tensor(array: Array) -> EagerTensor:
    """Return a result of a run as a new eager tensor, and notify the tapes."""
    result = EagerTensor(array)
    for watcher in current_watchers():
        watcher.note(None, IDENTITY, (EagerTensor.over(array),), {}, (result,))
    return result


def call(name: str, *inputs: Tensor, **attrs: Any) -> Any:
    """Apply the op of this name: rules use ops that are declared after them.

    >>> import autograph.runtime as rt
    >>> call("square", rt.constant(3.0))
    <rt.Tensor: shape=(), dtype=float32, numpy=9.0>
    """
    return apply(REGISTRY[name], inputs, **attrs)


def no_gradient(
    dys: Sequence[Any], outputs: Sequence[Any], inputs: Sequence[Any], **attrs: Any
) -> tuple[None, ...]:
    """Return None for each input: piecewise constant ops have gradient 0 wherever it exists."""
    return (None,) * len(inputs)


def filled(dys: Sequence[Any], outputs: Sequence[Any]) -> list[Any]:
    """Return the gradients of several outputs, with zeros for unused ones."""
    return [
        call("zeros_like", y, dtype=y.dtype) if dy is None else dy
        for dy, y in zip(dys, outputs, strict=True)
    ]


def holomorphic(rule: Grad) -> Grad:
    """Return the gradient of a complex op; `rule` multiplies dy by the derivative.

    For z = x + iy the gradient is dL/dx + i dL/dy, so dx = dy * conj(derivative). For real numbers
    the conjugation is the identity, and nothing is recorded for it.
    """

    def grad(
        dys: Sequence[Any], outputs: Sequence[Any], inputs: Sequence[Any], **attrs: Any
    ) -> tuple[Any, ...]:
        if not any(y.dtype.is_complex for y in outputs):
            return tuple(rule(dys, outputs, inputs, **attrs))
        found = rule([conjugate(dy) for dy in dys], outputs, inputs, **attrs)
        return tuple(map(conjugate, found))

    return grad


def conjugate(x: Any) -> Any:
    """Return the conjugate of complex numbers; None and real numbers unchanged."""
    return call("conj", x) if x is not None and x.dtype.is_complex else x


def sum_to_like(x: Tensor, like: Tensor) -> Tensor:
    """Sum `x` over the axes along which `like` was broadcast to it; return the shape of `like`.

    If the shapes are known and equal, nothing is recorded.
    """
    if x.shape.is_fully_defined() and x.shape == like.shape:
        return x
    summed: Tensor = apply(SUM_TO_LIKE, (x, like))
    return summed


def is_kept(x: Tensor, other: Tensor) -> bool:
    """Return whether `x` surely keeps its shape when it is broadcast with `other`.

    >>> import autograph.runtime as rt
    >>> is_kept(rt.ones([2, 3]), rt.ones([3])), is_kept(rt.ones([3]), rt.ones([2, 3]))
    (True, False)
    """
    own, others = x.shape.dims, other.shape.dims
    if x is other:
        return True
    if own is None or others is None or len(others) > len(own):
        return False
    pairs = zip(reversed(own), reversed(others))
    return all(that == 1 or this not in (None, 1) for this, that in pairs)


class GradientPerInput:
    """A gradient with one rule per input, so that only the needed gradients are computed.

    Args:
        rules: `rule(dys, outputs, inputs, **attrs)` per input, None for one without a gradient.
    """

    def __init__(self, *rules: Grad | None) -> None:
        self._rules = rules

    def __call__(
        self, dys: Sequence[Any], outputs: Sequence[Any], inputs: Sequence[Any], **attrs: Any
    ) -> tuple[Any, ...]:
        return self.of_inputs([True] * len(inputs), dys, outputs, inputs, **attrs)

    def of_inputs(
        self,
        wanted: Sequence[bool],
        dys: Sequence[Any],
        outputs: Sequence[Any],
        inputs: Sequence[Any],
        **attrs: Any,
    ) -> tuple[Any, ...]:
        """Return the gradients of the wanted inputs, None for the others.

        Gradients of complex numbers are conjugated, as in `holomorphic`.
        """
        if any(y.dtype.is_complex for y in outputs):
            dys = [conjugate(dy) for dy in dys]
            return tuple(map(conjugate, self._found(wanted, dys, outputs, inputs, attrs)))
        return self._found(wanted, dys, outputs, inputs, attrs)

    def _found(
        self,
        wanted: Sequence[bool],
        dys: Sequence[Any],
        outputs: Sequence[Any],
        inputs: Sequence[Any],
        attrs: dict[str, Any],
    ) -> tuple[Any, ...]:
        return tuple(
            rule(dys, outputs, inputs, **attrs) if is_wanted and rule is not None else None
            for rule, is_wanted in zip(self._rules, wanted, strict=True)
        )


class GradientOfUsedOutputs:
    """A gradient rule that gets None for the gradients of unused results.

    Other rules get zeros, which cost additional multiplications and additions.
    """

    def __init__(self, rule: Grad) -> None:
        self._rule = rule

    def __call__(
        self, dys: Sequence[Any], outputs: Sequence[Any], inputs: Sequence[Any], **attrs: Any
    ) -> Any:
        return self._rule(dys, outputs, inputs, **attrs)


def one_input(rule: Callable[[Any, Any, Any], Any]) -> Grad:
    """Return the gradient of `y = f(x)` from `rule(dy, y, x) -> dx`."""

    def grad(
        dys: Sequence[Any], outputs: Sequence[Any], inputs: Sequence[Any], **attrs: Any
    ) -> tuple[Any, ...]:
        return (rule(dys[0], outputs[0], inputs[0]),)

    return grad


def two_inputs(
    first: Callable[[Any, Any, Any, Any], Any], second: Callable[[Any, Any, Any, Any], Any]
) -> GradientPerInput:
    """Return the gradient of `z = f(x, y)` from `first(dz, z, x, y) -> dx` and likewise `dy`.

    Broadcasting is undone here, so the rules can ignore it.
    """

    def of_input(position: int, rule: Callable[[Any, Any, Any, Any], Any]) -> Grad:
        def grad(
            dys: Sequence[Any], outputs: Sequence[Any], inputs: Sequence[Any], **attrs: Any
        ) -> Any:
            found, own = rule(dys[0], outputs[0], *inputs), inputs[position]
            if is_kept(own, inputs[1 - position]) and found.shape.dims == own.shape.dims:
                return found  # Nothing has to be summed, even if only a run knows the sizes.
            return sum_to_like(found, own)

        return grad

    return GradientPerInput(of_input(0, first), of_input(1, second))
