"""Import of TensorFlow's lists of tensors, and of the TensorArrays of TensorFlow 1.

A list becomes a TensorArray, which has TensorFlow's rules: an index is not negative, and an element
that was never written is zeros.
"""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import DType, int32, int64
from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.variant import VARIANT
from runtime.errors import DTypeError
from runtime.export.graphdef.importer.attributes import Kind
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.graph.structured_control_flow import while_loop
from runtime.ops.arrays import indexing

_WRITES = {"dynamic": True, "inferred": False}


def _dtype(step: NodeImport, name: str = "element_dtype") -> DType:
    found: Kind = step.attrs.kind(name)
    if not isinstance(found, DType):
        raise step.unsupported("a list holds handles of variables")
    return found


def _shape(step: NodeImport, position: int) -> TensorShape:
    """Return the shape of elements that an operand gives, as far as it is known."""
    partial = step.body.static.partial(step.tensor(position))
    if isinstance(partial, list):
        sizes = (None if size is None or size < 0 else int(size) for size in partial)
        return TensorShape.of(tuple(sizes))
    vector = step.tensor(position).shape
    length = vector[0] if vector.rank == 1 else None
    return UNKNOWN if length is None else TensorShape.of((None,) * length)


def _spec(step: NodeImport, position: int | None = None) -> TensorSpec:
    """Return the spec of the elements of a list."""
    dtype = _dtype(step)
    if dtype.is_variant:
        return VARIANT
    return TensorSpec(UNKNOWN if position is None else _shape(step, position), dtype)


# -- lists as TensorArrays -------------------------------------------------------------------------


def _empty(step: NodeImport) -> Any:
    """Return a list without elements; TensorFlow's bound of the length only reserves memory."""
    if step.known(1) is None or int(step.static(1, "bounds of lists")) >= 0:
        raise step.unsupported("a list has a maximum length")
    step.attrs.skip("shape_type")
    none = step.constant(0, int32)
    return step.record("tensor_array", none, element=_spec(step, 0))


def _reserve(step: NodeImport) -> Any:
    step.attrs.skip("shape_type")
    return step.record("tensor_array", step.tensor(1), element=_spec(step, 0))


def _filled(step: NodeImport, items: Any, spec: TensorSpec) -> Any:
    """Return a TensorArray with the items of a list."""
    none = step.record("tensor_array", step.constant(0, int32), element=spec)
    return step.record("tensor_array_fill", none, items, **_WRITES)


def _from_tensor(step: NodeImport) -> Any:
    step.attrs.skip("shape_type")
    rows = step.record("list_from_rows", step.tensor(0))
    return _filled(step, rows, _spec(step, 1))


def _split(step: NodeImport) -> Any:
    step.attrs.skip("shape_type")
    parts = step.record("list_from_parts", step.tensor(0), step.tensor(2))
    return _filled(step, parts, _spec(step, 1))


def _push(step: NodeImport) -> Any:
    target, value = step.tensor(0), step.tensor(1)
    _check_element(step, value)
    place = step.record("tensor_array_size", target)
    return step.record("tensor_array_write", target, place, value, **_WRITES)


def _set(step: NodeImport) -> Any:
    target, index, value = (step.tensor(at) for at in range(3))
    _check_element(step, value)
    grows = step.attrs.flag("resize_if_index_out_of_bounds", False)
    flags = {"dynamic": grows, "inferred": False}
    return step.record("tensor_array_write", target, index, value, **flags)


def _check_element(step: NodeImport, value: Any) -> None:
    if value.dtype is not _dtype(step):
        raise DTypeError(f"an element is {value.dtype.name}, and the list holds others")


def _get(step: NodeImport) -> Any:
    target, index = step.tensor(0), step.tensor(1)
    return step.record("tensor_array_read", target, index, element=_spec(step, 2))


def _pop(step: NodeImport) -> Any:
    spec = _spec(step, 1)
    items = _items(step, step.tensor(0), TensorSpec(UNKNOWN, spec.dtype))
    rest, last = step.record("list_pop", items, specs=(spec,))
    return [_filled(step, rest, TensorSpec(UNKNOWN, spec.dtype)), last]


def _length(step: NodeImport) -> Any:
    return step.record("tensor_array_size", step.tensor(0))


def _items(step: NodeImport, target: Any, spec: TensorSpec, *places: Any) -> Any:
    """Return the elements as a list."""
    return step.record("tensor_array_items", target, *places, element=spec)


def _resized(step: NodeImport) -> Any:
    return step.record("tensor_array_resize", step.tensor(0), step.tensor(1))


def _joined_lists(step: NodeImport) -> Any:
    spec = _spec(step)
    one, two = (_items(step, step.tensor(at), spec) for at in range(2))
    return _filled(step, step.record("list_extend", one, two), spec)


# -- lists and tensors -----------------------------------------------------------------------------


def _stack(step: NodeImport) -> Any:
    spec = _spec(step, 1)
    found = _stacked(step, _items(step, step.tensor(0), spec), spec, 1)
    count = step.attrs.number("num_elements", -1)
    if count < 0:
        return found
    wanted = TensorShape.of((count,)).concatenate(spec.shape)
    return step.record("ensure_shape", found, shape=wanted)


def _stacked(step: NodeImport, items: Any, spec: TensorSpec, position: int) -> Any:
    """Return items as the rows of a tensor; without items its shape must be known."""
    if spec.shape.is_fully_defined():
        return step.record("list_stack", items, leaf=0, spec=spec)
    if step.known(position) is not None:
        return step.record("list_stack", items, leaf=0, spec=spec, needed=True)
    # Only a run knows the shape, which matters if there are no items.
    found = step.record("list_stack", items, leaf=0, spec=spec)
    given = _as_int32(step, step.tensor(position))
    count = step.record("list_length", items)
    is_empty = step.record("equal", count, step.constant(0, int32))
    sizes = step.record("shape", found, out_type=int32)
    nothing = step.record("stack", count, axis=0)
    sizes_of_none = step.record("concat", nothing, given, axis=0)
    wanted = step.record("select", is_empty, sizes_of_none, sizes)
    rank = found.shape.rank
    return step.record("reshape", found, wanted, shape=None if rank is None else (None,) * rank)


def _as_int32(step: NodeImport, vector: Any) -> Any:
    return vector if vector.dtype is int32 else step.record("cast", vector, dtype=int32)


def _gather(step: NodeImport) -> Any:
    spec = _spec(step, 2)
    items = _items(step, step.tensor(0), spec, step.tensor(1))
    return _stacked(step, items, spec, 2)


def _concat(step: NodeImport) -> Any:
    """Join the elements along their first axis; return the lengths as well."""
    has_shape = len(step.inputs) > 1
    step.attrs.skip("shape_type")
    spec = (
        _spec(step, 1) if has_shape else TensorSpec(step.attrs.shape("element_shape"), _dtype(step))
    )
    if has_shape and step.tensor(2).shape.num_elements() != 0:
        raise step.unsupported("the lengths of elements that were never written are given")
    items = _items(step, step.tensor(0), spec)
    known = spec.shape.dims is not None and None not in spec.shape.dims[1:]
    is_needed = has_shape and step.known(1) is not None and not known
    found = step.record("list_concat", items, leaf=0, spec=spec, needed=is_needed)
    return [found, _lengths(step, items, spec)]


def _lengths(step: NodeImport, items: Any, spec: TensorSpec) -> Any:
    """Return the lengths of the elements of a list, which a loop finds."""
    count = step.record("list_length", items)
    start = step.record("tensor_array", count, element=TensorSpec((), int64))

    def write(index: Any, found: Any) -> list[Any]:
        (item,) = step.record("list_get", items, index, specs=(spec,))
        sizes = step.record("shape", item, out_type=int64)
        length = indexing.get_item(sizes, 0)
        after = step.record("add", index, step.constant(1, int32))
        return [after, step.record("tensor_array_write", found, index, length, **_WRITES)]

    zero = step.constant(0, int32)
    _, found = while_loop(lambda at, _: step.record("less", at, count), write, [zero, start])
    element = TensorSpec((), int64)
    return step.record("list_stack", _items(step, found, element), leaf=0, spec=element)


def _scatter_new(step: NodeImport) -> Any:
    """Write rows of a tensor into a new list, at given places."""
    step.attrs.skip("shape_type")
    spec, rows = _spec(step, 2), step.record("list_from_rows", step.tensor(0))
    size = step.number(3, "lengths of lists") if len(step.inputs) > 3 else -1
    made = step.record("tensor_array", step.constant(max(size, 0), int32), element=spec)
    flags = {"dynamic": size < 0, "inferred": False}
    return step.record("tensor_array_scatter", made, step.tensor(1), rows, **flags)


def _scatter(step: NodeImport) -> Any:
    _dtype(step)
    target, rows, places = step.tensor(0), step.tensor(1), step.tensor(2)
    items = step.record("list_from_rows", rows)
    return step.record("tensor_array_scatter", target, places, items, **_WRITES)


# -- TensorArrays of TensorFlow 1 ------------------------------------------------------------------


class ArrayHandle:
    """The handle of a TensorArray of TensorFlow 1; its elements are behind its flow.

    Attributes:
        element: the spec of its elements.
        dynamic: whether writes may extend it.
        inferred: whether all elements have one shape.
    """

    def __init__(self, element: TensorSpec, dynamic: bool, inferred: bool) -> None:
        self.element = element
        self.flags = {"dynamic": dynamic, "inferred": inferred}


def _array(step: NodeImport) -> Any:
    element = TensorSpec(step.attrs.shape("element_shape"), _dtype(step, "dtype"))
    grows = step.attrs.flag("dynamic_size", False)
    alike = step.attrs.flag("identical_element_shapes", False)
    slots = step.record("tensor_array", step.tensor(0), element=element)
    return [ArrayHandle(element, grows, alike), slots]


def _handle(step: NodeImport) -> ArrayHandle:
    found: Any = step.inputs[0]
    if not isinstance(found, ArrayHandle):
        raise DTypeError("input 0 is not the handle of a TensorArray")
    return found


def _array_write(step: NodeImport) -> Any:
    handle, slots = _handle(step), step.tensor(3)
    return step.record("tensor_array_write", slots, step.tensor(1), step.tensor(2), **handle.flags)


def _array_read(step: NodeImport) -> Any:
    step.attrs.skip("dtype")
    return step.record(
        "tensor_array_read", step.tensor(2), step.tensor(1), element=_handle(step).element
    )


def _array_gather(step: NodeImport) -> Any:
    step.attrs.skip("dtype", "element_shape")
    element = _handle(step).element
    items = _items(step, step.tensor(2), element, step.tensor(1))
    is_known = element.shape.is_fully_defined()
    return step.record("list_stack", items, leaf=0, spec=element, needed=not is_known)


def _array_scatter(step: NodeImport) -> Any:
    rows = step.record("list_from_rows", step.tensor(2))
    flags = _handle(step).flags
    return step.record("tensor_array_scatter", step.tensor(3), step.tensor(1), rows, **flags)


def _array_size(step: NodeImport) -> Any:
    _handle(step)
    return step.record("tensor_array_size", step.tensor(1))


def _nothing(step: NodeImport) -> Any:
    return None


RULES: dict[str, Rule] = {
    "EmptyTensorList": _empty,
    "TensorArrayCloseV3": _nothing,
    "TensorArrayGatherV3": _array_gather,
    "TensorArrayReadV3": _array_read,
    "TensorArrayScatterV3": _array_scatter,
    "TensorArraySizeV3": _array_size,
    "TensorArrayV3": _array,
    "TensorArrayWriteV3": _array_write,
    "TensorListConcat": _concat,
    "TensorListConcatLists": _joined_lists,
    "TensorListConcatV2": _concat,
    "TensorListFromTensor": _from_tensor,
    "TensorListGather": _gather,
    "TensorListGetItem": _get,
    "TensorListLength": _length,
    "TensorListPopBack": _pop,
    "TensorListPushBack": _push,
    "TensorListReserve": _reserve,
    "TensorListResize": _resized,
    "TensorListScatter": _scatter_new,
    "TensorListScatterIntoExistingList": _scatter,
    "TensorListScatterV2": _scatter_new,
    "TensorListSetItem": _set,
    "TensorListSplit": _split,
    "TensorListStack": _stack,
}
