"""Import of the ops that TensorFlow's gradients are made of."""

from __future__ import annotations

from typing import Any

from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.export.graphdef.importer.rules.normalization import is_channels_first


def _tanh(step: NodeImport) -> Any:
    """dy * (1 - y * y)"""
    y, dy = step.tensor(0), step.tensor(1)
    rest = step.record("subtract", step.constant(1, y.dtype), step.record("square", y))
    return step.record("multiply", dy, rest)


def _sigmoid(step: NodeImport) -> Any:
    """dy * y * (1 - y)"""
    y, dy = step.tensor(0), step.tensor(1)
    rest = step.record("subtract", step.constant(1, y.dtype), y)
    return step.record("multiply", step.record("multiply", dy, y), rest)


def _sqrt(step: NodeImport) -> Any:
    """dy * 0.5 / y"""
    y, dy = step.tensor(0), step.tensor(1)
    half = step.record("multiply", dy, step.constant(0.5, y.dtype))
    return step.record("divide", half, y)


def _rsqrt(step: NodeImport) -> Any:
    """dy * -0.5 * y ** 3"""
    y, dy = step.tensor(0), step.tensor(1)
    cube = step.record("multiply", step.record("square", y), y)
    half = step.record("multiply", dy, step.constant(-0.5, y.dtype))
    return step.record("multiply", half, cube)


def _reciprocal(step: NodeImport) -> Any:
    """-dy * y * y"""
    y, dy = step.tensor(0), step.tensor(1)
    return step.record("negative", step.record("multiply", dy, step.record("square", y)))


def _where_above(step: NodeImport, x: Any, value: Any, other: Any) -> Any:
    above = step.record("greater", x, step.constant(0, x.dtype))
    return step.record("select", above, value, other)


def _relu(step: NodeImport) -> Any:
    dy, x = step.tensor(0), step.tensor(1)
    return _where_above(step, x, dy, step.constant(0, dy.dtype))


def _relu6(step: NodeImport) -> Any:
    dy, x = step.tensor(0), step.tensor(1)
    below = step.record("less", x, step.constant(6, x.dtype))
    kept = step.record("select", below, dy, step.constant(0, dy.dtype))
    return _where_above(step, x, kept, step.constant(0, dy.dtype))


def _leaky_relu(step: NodeImport) -> Any:
    dy, x = step.tensor(0), step.tensor(1)
    slope = step.constant(step.attrs.real("alpha", 0.2), dy.dtype)
    return _where_above(step, x, dy, step.record("multiply", dy, slope))


def _elu(step: NodeImport) -> Any:
    """dy where y is not negative, else dy * (y + 1)"""
    dy, y = step.tensor(0), step.tensor(1)
    bent = step.record("multiply", dy, step.record("add", y, step.constant(1, y.dtype)))
    below = step.record("less", y, step.constant(0, y.dtype))
    return step.record("select", below, bent, dy)


def _softplus(step: NodeImport) -> Any:
    """dy * sigmoid(x)"""
    dy, x = step.tensor(0), step.tensor(1)
    return step.record("multiply", dy, step.record("sigmoid", x))


def _softsign(step: NodeImport) -> Any:
    """dy / (1 + |x|) ** 2"""
    dy, x = step.tensor(0), step.tensor(1)
    size = step.record("add", step.constant(1, x.dtype), step.record("abs", x))
    return step.record("divide", dy, step.record("square", size))


def _bias(step: NodeImport) -> Any:
    dy = step.tensor(0)
    rank = dy.shape.rank
    if rank is None:
        raise step.unsupported("only a run knows the number of axes of images")
    channels = 1 if is_channels_first(step) else rank - 1
    axes = tuple(axis for axis in range(rank) if axis != channels)
    return step.record("reduce_sum", dy, axis=axes, keepdims=False)


RULES: dict[str, Rule] = {
    "BiasAddGrad": _bias,
    "EluGrad": _elu,
    "InvGrad": _reciprocal,
    "LeakyReluGrad": _leaky_relu,
    "ReciprocalGrad": _reciprocal,
    "Relu6Grad": _relu6,
    "ReluGrad": _relu,
    "RsqrtGrad": _rsqrt,
    "SigmoidGrad": _sigmoid,
    "SoftplusGrad": _softplus,
    "SoftsignGrad": _softsign,
    "SqrtGrad": _sqrt,
    "TanhGrad": _tanh,
}
