"""Lowering of stateless random numbers; TensorFlow computes the same ones."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import uint64
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import dims

_PHILOX = 1


def _of_shape(op: str, operands: int = 0) -> Rule:
    """Return a rule for an op with some operands, then the key and counter, and then the shape."""

    def rule(step: GraphDefNodeLowering) -> Any:
        shape = dims(step, operands + 2, "shape", "shape")
        place = _place(step, operands)
        attrs = {} if operands else {"dtype": step.dtype}
        return step.last(op, shape, *place, *step.inputs[:operands], **attrs)

    return rule


def _place(step: GraphDefNodeLowering, first: int) -> tuple[ValueRef, ValueRef, ValueRef]:
    key, counter = (_unsigned(step, ref) for ref in step.inputs[first : first + 2])
    return key, counter, step.const(_PHILOX, "alg")


def _unsigned(step: GraphDefNodeLowering, ref: ValueRef) -> ValueRef:
    found: ValueRef = ref if ref.kind is uint64 else step.add("Bitcast", ref, type=uint64)
    return found


def _shuffle(step: GraphDefNodeLowering) -> Any:
    return step.last("StatelessShuffle", step.inputs[0], *_place(step, 1))


def _key_counter(step: GraphDefNodeLowering) -> Any:
    return list(step.last("StatelessRandomGetKeyCounter", step.inputs[0]))


def _skip(step: GraphDefNodeLowering) -> Any:
    handle, count = step.inputs
    return step.last("RngReadAndSkip", handle, step.const(_PHILOX, "alg"), count)


RULES: dict[str, Rule] = {
    "stateless_uniform": _of_shape("StatelessRandomUniformV2"),
    "stateless_normal": _of_shape("StatelessRandomNormalV2"),
    "stateless_truncated_normal": _of_shape("StatelessTruncatedNormalV2"),
    "stateless_full_int": _of_shape("StatelessRandomUniformFullIntV2"),
    "stateless_uniform_int": _of_shape("StatelessRandomUniformIntV2", 2),
    "stateless_gamma": _of_shape("StatelessRandomGammaV3", 1),
    "stateless_shuffle": _shuffle,
    "stateless_key_counter": _key_counter,
    "skip_variable": _skip,
}
