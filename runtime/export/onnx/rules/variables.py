"""Reads and writes of variables, whose present values are tensors of the model."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule, variable_of
from runtime.export.onnx.rules.indexing import placed
from runtime.export.onnx.values import ModelTensor


def _now(step: OnnxNodeLowering, position: int = 0) -> ModelTensor:
    return step.graph.state[id(variable_of(step.inputs[position]))]


def _store(step: OnnxNodeLowering, value: ModelTensor, position: int = 0) -> list[Any]:
    step.graph.state[id(variable_of(step.inputs[position]))] = value
    return []


def _read(step: OnnxNodeLowering) -> Any:
    return _now(step)


def _assign(step: OnnxNodeLowering) -> Any:
    return _store(step, step.inputs[1])


def _combined(operator: str) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        return _store(step, step.op(operator, _now(step), step.inputs[1]))

    return rule


def _assign_item(step: OnnxNodeLowering) -> Any:
    _, value, *inputs = step.inputs
    return _store(step, placed(step, _now(step), value, inputs))


_SCATTERED = {
    "add": "add",
    "sub": "add",
    "update": "none",
    "max": "max",
    "min": "min",
    "mul": "mul",
}


def _scatter(step: OnnxNodeLowering) -> Any:
    """Write the rows that indices name."""
    _, indices, updates = step.inputs
    place = step.op("Unsqueeze", step.cast(indices, int64), step.ints(-1))
    return _scattered(step, place, updates)


def _scatter_nd(step: OnnxNodeLowering) -> Any:
    return _scattered(step, step.index(1), step.inputs[2])


def _scattered(step: OnnxNodeLowering, indices: ModelTensor, updates: ModelTensor) -> Any:
    how = step.attrs["how"]
    if how not in _SCATTERED:
        raise step.unsupported(f"ONNX does not combine rows by {how}")
    step.note_negative(1)
    held = _now(step)
    shape = step.op(
        "Concat",
        step.op("Slice", step.shape(indices), step.ints(0), step.ints(-1)),
        step.op("Slice", step.shape(held), step.size(indices, -1), step.ints(2**62)),
        axis=0,
    )
    updates = step.op("Expand", updates, shape)
    updates = step.op("Neg", updates) if how == "sub" else updates
    return _store(step, step.op("ScatterND", held, indices, updates, reduction=_SCATTERED[how]))


def _adam(step: OnnxNodeLowering) -> Any:
    """Make one step of the optimizer Adam: the averages of the gradient and its square first."""
    gradient, rate = step.inputs[3:]
    mean = _toward(step, _now(step, 1), gradient, 1 - step.attrs["beta_1"])
    squares = step.op("Mul", gradient, gradient)
    kept = _toward(step, _now(step, 2), squares, 1 - step.attrs["beta_2"])
    below = step.op("Add", step.op("Sqrt", kept), step.like(step.attrs["epsilon"], kept))
    moved = step.op("Div", step.op("Mul", mean, rate), below)
    _store(step, step.op("Sub", _now(step), moved))
    _store(step, mean, 1)
    return _store(step, kept, 2)


def _toward(
    step: OnnxNodeLowering, old: ModelTensor, new: ModelTensor, share: float
) -> ModelTensor:
    apart = step.op("Mul", step.op("Sub", new, old), step.like(share, old))
    return step.op("Add", apart, old)


RULES: dict[str, Rule] = {
    "read_variable": _read,
    "assign_variable": _assign,
    "assign_add_variable": _combined("Add"),
    "assign_sub_variable": _combined("Sub"),
    "assign_item_variable": _assign_item,
    "scatter_variable": _scatter,
    "scatter_nd_variable": _scatter_nd,
    "adam_variable": _adam,
}
