"""Import of constants, placeholders, and ops that create tensors from a shape or a range."""

from __future__ import annotations

from math import prod
from typing import Any

from runtime.core.array_value import ArrayValue
from runtime.export.graphdef.importer.attributes import MOST_REPEATED
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.arrays import creation


def _const(step: NodeImport) -> Any:
    elements, sizes = stored = step.attrs.stored_array("value")
    count = prod(sizes)
    if count <= max(len(elements), MOST_REPEATED):
        return step.record("constant", value=ArrayValue(stored.whole()))
    # A file of few bytes may describe a large array: only a run makes it.
    last = step.record("constant", value=ArrayValue(elements[-1:]))
    if len(elements) == 1:
        return step.record("broadcast_to", last, shape=sizes)
    first = step.record("constant", value=ArrayValue(elements[:-1]))
    rest = step.record("broadcast_to", last, shape=(count - len(elements) + 1,))
    return step.record("reshape", step.record("concat", first, rest, axis=0), shape=sizes)


def _placeholder(step: NodeImport) -> Any:
    raise step.unsupported(
        f"it has no value: give one, as in input_map={{'{step.node.name}:0': x}}"
    )


def _fill(step: NodeImport) -> Any:
    return creation.fill(step.sizes(0), step.tensor(1))


def _range(step: NodeImport) -> Any:
    return creation.range(*step.tensors())


def _linspace(step: NodeImport) -> Any:
    start, stop = step.tensor(0), step.tensor(1)
    count = step.number(2, "numbers of elements")
    return step.record("linspace", start, stop, num=count, axis=0)


def _one_hot(step: NodeImport) -> Any:
    known = step.known(1)
    depth = step.tensor(1) if known is None else int(known)
    on, off = step.tensor(2), step.tensor(3)
    axis = step.attrs.number("axis", -1)
    return creation.one_hot(step.tensor(0), depth, on, off, axis, on.dtype)


def _empty(step: NodeImport) -> Any:
    step.attrs.skip("init")
    return creation.zeros(step.sizes(0), step.attrs.dtype("dtype"))


RULES: dict[str, Rule] = {
    "Const": _const,
    "Empty": _empty,
    "Fill": _fill,
    "LinSpace": _linspace,
    "OneHot": _one_hot,
    "Placeholder": _placeholder,
    "Range": _range,
}
