"""Import of elementwise ops: those with one counterpart, and those that need several nodes."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from runtime.core.tensor import Tensor
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.export.graphdef.rules.direct_ops import DIRECT as EXPORTED
from runtime.ops.arrays.shape import expand_dims
from runtime.ops.op import REGISTRY

# TensorFlow's op, and the op here that has the same inputs and no attributes: those that the
# exporter writes, and some that it does not write in this way.
DIRECT: Mapping[str, str] = {
    **{REGISTRY[name].tensorflow_name: name for name in EXPORTED},
    "Abs": "abs",
    "Add": "add",
    "AddV2": "add",
    "Angle": "angle",
    "Betainc": "betainc",
    "Complex": "complex",
    "ComplexAbs": "abs",
    "Imag": "imag",
    "Inv": "reciprocal",
    "Mod": "truncatemod",
    "Real": "real",
    "Rint": "round",
}


def direct(name: str) -> Rule:
    """Return the rule of an op that becomes one node with the same inputs."""

    def rule(step: NodeImport) -> Any:
        tensors = [step.tensor(at) for at in range(len(step.inputs))]
        return step.record(name, *tensors)

    return rule


def _compared(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        x, y = step.tensor(0), step.tensor(1)
        if step.attrs.flag("incompatible_shape_error", True):
            return step.record(name, x, y)
        return step.record(name, x, y, otherwise=name == "not_equal")

    return rule


def _cast(step: NodeImport) -> Any:
    step.attrs.skip("Truncate")
    wanted = step.attrs.dtype("DstT")
    found = step.tensor(0)
    return found if found.dtype is wanted else step.record("cast", found, dtype=wanted)


def _bitcast(step: NodeImport) -> Any:
    return step.record("bitcast", step.tensor(0), type=step.attrs.dtype("type"))


def _identity(step: NodeImport) -> Any:
    step.attrs.skip("message")
    found = step.inputs[0]
    # A session looks nodes up by name.
    needs_node = step.body.graph.runs_by_fetches and isinstance(found, Tensor)
    return step.record("identity", found) if needs_node else found


def _identities(step: NodeImport) -> Any:
    return list(step.inputs)


def _floordiv(step: NodeImport) -> Any:
    """Divide as TensorFlow does: of floats it takes the floor of the rounded quotient."""
    x, y = step.tensor(0), step.tensor(1)
    if not x.dtype.is_floating:
        return step.record("floordiv", x, y)
    return step.record("floor", step.record("divide", x, y))


def _truncatediv(step: NodeImport) -> Any:
    x, y = step.tensor(0), step.tensor(1)
    if not x.dtype.is_floating:
        return step.record("truncatediv", x, y)
    quotient = step.record("divide", x, y)
    size = step.record("floor", step.record("abs", quotient))
    return step.record("multiply", step.record("sign", quotient), size)


def _div(step: NodeImport) -> Any:
    is_whole = step.tensor(0).dtype.is_integer
    return _truncatediv(step) if is_whole else direct("divide")(step)


def _add_n(step: NodeImport) -> Any:
    first, *rest = (step.tensor(at) for at in range(len(step.inputs)))
    if not first.dtype.is_variant:
        return step.record("add_n", first, *rest)
    return functools.reduce(
        lambda one, other: step.record("tensor_array_sum", one, other), rest, first
    )


def _clip(step: NodeImport) -> Any:
    x, low, high = (step.tensor(at) for at in range(3))
    return step.record("clip_by_value", x, low, high)


def _select(step: NodeImport) -> Any:
    """Select by TensorFlow 1's rule: a vector of conditions selects rows."""
    condition, x, y = (step.tensor(at) for at in range(3))
    rank, given = x.shape.rank, condition.shape.rank
    if given == 1 and rank is None:
        raise step.unsupported("a vector of conditions selects rows of tensors of unknown rank")
    if given is None and rank != 0:
        raise step.unsupported("only a run knows the rank of a condition")
    if given == 1 and rank and rank > 1:
        for _ in range(rank - 1):
            condition = expand_dims(condition, -1)
    return step.record("select", condition, x, y)


def _hard_swish(step: NodeImport) -> Any:
    x = step.tensor(0)
    three, sixth = step.constant(3, x.dtype), step.constant(1 / 6, x.dtype)
    bent = step.record("relu6", step.record("add", x, three))
    return step.record("multiply", step.record("multiply", x, bent), sixth)


def _likes(value: int) -> Rule:
    name = "ones_like" if value else "zeros_like"

    def rule(step: NodeImport) -> Any:
        x = step.tensor(0)
        if x.dtype.is_variant:
            raise step.unsupported("a list of zeros is made of a list")
        return step.record(name, x, dtype=x.dtype)

    return rule


def truth(step: NodeImport, value: Any) -> Any:
    """Return a scalar as the bool that a branch or loop takes it for: numbers are true unless 0."""
    if value.dtype.is_bool:
        return value
    if value.shape.rank != 0:
        raise step.unsupported("a condition must be a scalar")
    zero = step.constant(b"" if value.dtype.is_string else 0, value.dtype)
    return step.record("not_equal", value, zero)


RULES: dict[str, Rule] = {
    **{op: direct(name) for op, name in DIRECT.items()},
    "AddN": _add_n,
    "Bitcast": _bitcast,
    "Cast": _cast,
    "ClipByValue": _clip,
    "Div": _div,
    "Equal": _compared("equal"),
    "FloorDiv": _floordiv,
    "HardSwish": _hard_swish,
    "Identity": _identity,
    "IdentityN": _identities,
    "NotEqual": _compared("not_equal"),
    "OnesLike": _likes(1),
    "PlaceholderWithDefault": _identity,
    "PreventGradient": _identity,
    "Select": _select,
    "Snapshot": _identity,
    "TruncateDiv": _truncatediv,
    "ZerosLike": _likes(0),
}
