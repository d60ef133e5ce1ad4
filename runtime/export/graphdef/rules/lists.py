"""Lowering of lists to TensorFlow's lists of tensors, one for each leaf of an item."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import DType, float32
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import as_int32, counted_from_the_end

List = tuple[ValueRef, ...]
"""The lowered form of a list: one TensorFlow list per part of an item."""


def any_shape(step: GraphDefNodeLowering) -> ValueRef:
    """Return the shape of items of unknown rank."""
    return step.const(-1, "element_shape")


def empty_list(step: GraphDefNodeLowering, dtype: Any) -> ValueRef:
    """Return a TensorFlow list without items."""
    most = step.const(-1, "max_num_elements")
    made: ValueRef = step.add("EmptyTensorList", any_shape(step), most, element_dtype=dtype)
    return made


# -- items -----------------------------------------------------------------------------------------


def pushed(step: GraphDefNodeLowering, target: List, leaves: list[Any]) -> List:
    """Return a list with one more item."""
    pairs = zip(target, _leaves(step, leaves))
    return tuple([step.add("TensorListPushBack", one, leaf) for one, leaf in pairs])


def _leaves(step: GraphDefNodeLowering, values: list[Any]) -> list[ValueRef]:
    """Return the parts of an item; an item without parts gets a number, since a list needs one."""
    return [_leaf(step, each) for each in values] or [step.const(0, "item", float32)]


def _leaf(step: GraphDefNodeLowering, value: Any) -> ValueRef:
    """Return a part of an item; a list as a part must be a single list in the file."""
    if isinstance(value, ValueRef):
        return value
    if len(value) != 1:
        raise step.unsupported("a list holds lists whose items have several parts")
    found: ValueRef = value[0]
    return found


def length_of(step: GraphDefNodeLowering, target: List) -> ValueRef:
    """Return the number of items."""
    found: ValueRef = step.add("TensorListLength", target[0])
    return found


def _list_length(step: GraphDefNodeLowering) -> Any:
    return step.last("TensorListLength", step.inputs[0][0])


def place_of(step: GraphDefNodeLowering, target: List, index: ValueRef) -> ValueRef:
    """Return positions, with negative ones counted from the end."""
    return counted_from_the_end(step, as_int32(step, index), length_of(step, target))


def item_at(
    step: GraphDefNodeLowering, target: List, place: ValueRef, dtypes: list[DType]
) -> list[Any]:
    """Return the parts of the item at a position."""
    shape = any_shape(step)
    pairs = zip(target, dtypes)
    found = [
        step.add("TensorListGetItem", one, place, shape, element_dtype=dtype)
        for one, dtype in pairs
    ]
    return [(ref,) if dtype.is_variant else ref for ref, dtype in zip(found, dtypes)]


def dtypes_of(step: GraphDefNodeLowering) -> tuple[DType, ...]:
    """Return the dtypes of the items of the first result, which is a list."""
    return step.region.library.types.of(step.node.outputs[0])


def _list_of(step: GraphDefNodeLowering) -> Any:
    width = step.attrs["width"]
    made = tuple([empty_list(step, dtype) for dtype in dtypes_of(step)])
    for start in range(0, len(step.inputs), width):
        made = pushed(step, made, list(step.inputs[start : start + width]))
    return made


def _append(step: GraphDefNodeLowering) -> Any:
    target, *leaves = step.inputs
    if len(target) == 1 and leaves:
        return (step.last("TensorListPushBack", target[0], _leaf(step, leaves[0])),)
    return pushed(step, target, leaves)


def _get(step: GraphDefNodeLowering) -> Any:
    target, index = step.inputs
    dtypes = [spec.dtype for spec in step.attrs["specs"]]
    if len(dtypes) == 1 and not dtypes[0].is_variant:
        place, shape = place_of(step, target, index), any_shape(step)
        return step.last("TensorListGetItem", target[0], place, shape, element_dtype=dtypes[0])
    return item_at(step, target, place_of(step, target, index), dtypes)


def _set(step: GraphDefNodeLowering) -> Any:
    target, index, *leaves = step.inputs
    place = place_of(step, target, index)
    flags = {"resize_if_index_out_of_bounds": False}
    if len(target) == 1 and leaves:
        leaf = _leaf(step, leaves[0])
        return (step.last("TensorListSetItem", target[0], place, leaf, **flags),)
    pairs = zip(target, _leaves(step, leaves))
    return tuple([step.add("TensorListSetItem", one, place, leaf, **flags) for one, leaf in pairs])


RULES: dict[str, Rule] = {
    "list_of": _list_of,
    "list_append": _append,
    "list_length": _list_length,
    "list_get": _get,
    "list_set": _set,
}
