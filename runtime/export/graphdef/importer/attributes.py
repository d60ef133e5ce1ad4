"""Attributes of the nodes of a GraphDef as Python values, checked for their kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any, NamedTuple

import numpy as np

from runtime.core.dtypes import DType, int32
from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.core.tensor import Array
from runtime.errors import DataLossError, UnimplementedError
from runtime.export.graphdef.attribute_values import shape_of_proto
from runtime.export.graphdef.data_types import (
    RESOURCE,
    ResourceType,
    dtype_of_number,
    number_of,
)
from runtime.export.graphdef.messages import (
    AttrValue,
    NodeDef,
    TensorProto,
)

_MOST_BYTES = 2**31
MOST_REPEATED = 1024
"""How many elements of an array may be made of one in a file, since that is read as a whole."""

_FIELDS = {
    "bool": "bool_val",
    "float32": "float_val",
    "float64": "double_val",
    "int64": "int64_val",
    "uint32": "uint32_val",
    "uint64": "uint64_val",
    "float16": "half_val",
    "bfloat16": "half_val",
    "complex64": "scomplex_val",
    "complex128": "dcomplex_val",
    "string": "string_val",
}

# Attributes that do not change results: an import ignores them. Any other attribute that no rule
# reads is refused: it may change the meaning of its node.
IGNORED = frozenset(
    (
        # Places: devices, threads, memory.
        *("_class", "_device", "_parallel_iterations", "parallel_iterations", "swap_memory"),
        *("_stateful_parallelism", "allowed_devices", "use_cudnn_on_gpu", "executor_type"),
        *("_collective_manager_ids", "_read_only_resource_inputs", "_tpu_replicate"),
        *("_XlaMustCompile", "_xla_inferred_shapes", "_mlir_enable", "config", "config_proto"),
        *("_grappler_do_not_remove", "_grappler_relu_clamp_add", "use_inter_op_parallelism"),
        *("_lower_using_switch_merge", "_lower_as_multi_device_function", "_disable_copy_on_read"),
        *("_has_manual_control_dependencies", "_disable_call_shape_inference", "_implements"),
        *("_rendezvous", "_noinline", "_input_shapes", "_force_lowering", "debug_name"),
        # Names: of variables, of arguments, for gradients.
        *("container", "shared_name", "_user_specified_name", "_gradient_op_type"),
        *("_num_original_outputs", "_forward_func_name", "_backward_func_name", "cond_context"),
        # Facts that are inferred here: shapes of results, and the forms of sparse values.
        *("_output_shapes", "_handle_dtypes", "_handle_shapes", "_composite_tensor"),
        *("_original_op", "_cloned", "_original_func_name", "_debug_info", "_xla_compile_id"),
        # Locks and checks of writes: here a write holds a lock, and shapes are always checked.
        *("use_locking", "validate_shape", "validate_indices", "shape_invariant"),
        # Hints for gradients, and of numbers that are expected to be finite.
        *("grad_x", "grad_y", "grad_a", "grad_b", "is_stateless", "reduction_type"),
        # Bounds of lists and TensorArrays, which grow here as they do there.
        *("identical_element_shapes", "tensor_array_name", "clear_after_read"),
    )
)

Kind = DType | ResourceType
"""The dtype of a value, or the type of a variable's handle."""


def dtype_of(number: int) -> Kind:
    """Return the dtype with TensorFlow's number, or the type of a variable's handle.

    Raises:
        UnimplementedError: there is no such dtype here.

    >>> dtype_of(1).name, dtype_of(9).name
    ('float32', 'int64')
    """
    return RESOURCE if number == number_of(RESOURCE) else dtype_of_number(number)


class StoredArray(NamedTuple):
    """An array as a file stores it.

    Attributes:
        elements: a vector of its first elements; the last one stands for all that are left out.
        sizes: the shape of the array.
    """

    elements: Array
    sizes: tuple[int, ...]

    def whole(self) -> Array:
        """Return the array; DataLossError if a file of few bytes describes a large one."""
        count = prod(self.sizes)
        if count == len(self.elements):
            return self.elements.reshape(self.sizes)
        if count > MOST_REPEATED * len(self.elements):
            raise DataLossError(f"a constant repeats its last element, up to {count} elements")
        found = np.full(count, self.elements[-1], self.elements.dtype)
        found[: len(self.elements)] = self.elements
        return found.reshape(self.sizes)


def stored_array(proto: TensorProto) -> StoredArray:
    """Return the array of a message.

    Raises:
        DataLossError: the elements do not fit the shape.
        UnimplementedError: there is no such dtype here.

    >>> from runtime.export.graphdef.attribute_values import tensor_proto
    >>> stored_array(tensor_proto(np.array([[1, 2]], np.int32))).whole()
    array([[1, 2]], dtype=int32)
    """
    dtype = dtype_of(proto.dtype)
    if isinstance(dtype, ResourceType) or dtype.is_variant:
        raise UnimplementedError("a constant of the file is an object, not a tensor")
    shape = shape_of_proto(proto.tensor_shape)
    if shape.dims is None or not shape.is_fully_defined():
        raise DataLossError(f"a constant has the shape {shape}, which is not fully known")
    sizes = tuple(size or 0 for size in shape.dims)
    if prod(sizes) * max(dtype.size, 8 if dtype.is_string else 1) > _MOST_BYTES:
        raise DataLossError(f"a constant of shape {shape} is larger than {_MOST_BYTES} bytes")
    if proto.tensor_content and not dtype.is_string:
        return _array_of_bytes(proto.tensor_content, dtype, sizes)
    return _array_of_elements(_elements(proto, dtype), dtype, sizes)


def _array_of_bytes(content: bytes, dtype: DType, sizes: tuple[int, ...]) -> StoredArray:
    wanted = prod(sizes) * dtype.size
    if len(content) != wanted:
        raise DataLossError(f"a constant has {len(content)} bytes, and its shape {wanted}")
    little = dtype.np_dtype if dtype.size == 1 else dtype.np_dtype.newbyteorder("<")
    return StoredArray(np.frombuffer(content, little).astype(dtype.np_dtype), sizes)


def _elements(proto: TensorProto, dtype: DType) -> Any:
    held = getattr(proto, _FIELDS.get(dtype.name, "int_val"))
    if dtype.is_string:
        found = np.empty(len(held), object)
        found[:] = held
        return found
    if dtype.is_complex:
        if len(held) % 2:
            raise DataLossError("a complex constant has a real part without an imaginary one")
        parts = np.array(held, dtype.real_dtype.np_dtype)
        return (parts[0::2] + 1j * parts[1::2]).astype(dtype.np_dtype)
    if dtype.name in ("float16", "bfloat16"):
        return (np.array(held, np.int64) & 0xFFFF).astype(np.uint16).view(dtype.np_dtype)
    exact = np.array(held, np.float64 if dtype.is_floating else object)
    with np.errstate(over="ignore"):
        return _whole(exact, dtype) if dtype.is_integer else exact.astype(dtype.np_dtype)


def _whole(numbers: Array, dtype: DType) -> Array:
    """Return integers in their dtype, in which they must fit."""
    limits = np.iinfo(dtype.np_dtype)
    if any(not limits.min <= number <= limits.max for number in numbers.tolist()):
        raise DataLossError(f"a constant of {dtype.name} has an element that is too large")
    return numbers.astype(dtype.np_dtype)


def _array_of_elements(elements: Array, dtype: DType, sizes: tuple[int, ...]) -> StoredArray:
    count = prod(sizes)
    if len(elements) > count:
        raise DataLossError(f"a constant has {len(elements)} elements, and its shape {count}")
    if count and not len(elements):
        elements = np.full(1, b"" if dtype.is_string else 0, dtype.np_dtype)
    return StoredArray(elements, sizes)


class NodeAttributes:
    """The attributes of one node.

    Args:
        node: the node.

    Example:
        >>> from runtime.export.graphdef.messages import AttrValue
        >>> attrs = NodeAttributes(NodeDef(name="x", attr={"axis": AttrValue(i=2)}))
        >>> attrs.number("axis"), attrs.number("batch_dims", 0)
        (2, 0)
    """

    def __init__(self, node: NodeDef) -> None:
        self._node = node
        self._held: Mapping[str, AttrValue] = node.attr
        self.read: set[str] = set()
        """The names of the attributes that were asked for."""

    def skip(self, *names: str) -> None:
        """Note attributes as read that do not matter for this node."""
        self.read.update(names)

    def has(self, name: str) -> bool:
        """Return whether the node has an attribute."""
        return name in self._held

    def number(self, name: str, default: int | None = None) -> int:
        """Return an integer."""
        found: int = self._of(name, "i", default)
        return found

    def real(self, name: str, default: float | None = None) -> float:
        """Return a float."""
        found: float = self._of(name, "f", default)
        return found

    def flag(self, name: str, default: bool | None = None) -> bool:
        """Return a bool."""
        found: bool = self._of(name, "b", default)
        return found

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text."""
        found = self._of(name, "s", default)
        try:
            return found.decode() if isinstance(found, bytes) else str(found)
        except UnicodeDecodeError:
            raise self._damaged(name, "is a text that is not UTF-8") from None

    def raw(self, name: str, default: bytes | None = None) -> bytes:
        """Return a text as bytes."""
        found: bytes = self._of(name, "s", default)
        return found

    def kind(self, name: str, default: Kind | None = None) -> Kind:
        """Return a dtype, or the type of a variable's handle."""
        found = self._of(name, "type", default)
        return dtype_of(found) if isinstance(found, int) else found

    def dtype(self, name: str, default: DType | None = int32) -> DType:
        """Return a dtype; by default int32."""
        found = self.kind(name, default)
        if isinstance(found, ResourceType):
            raise self._damaged(name, "is the type of a variable, and no dtype")
        return found

    def shape(self, name: str) -> TensorShape:
        """Return a shape; an unknown one if the node has no such attribute."""
        if name not in self._held:
            return UNKNOWN
        return shape_of_proto(self._of(name, "shape", None))

    def stored_array(self, name: str) -> StoredArray:
        """Return an array."""
        return stored_array(self._of(name, "tensor", None))

    def function(self, name: str) -> str:
        """Return the name of a function of the library."""
        return str(self._of(name, "func", None).name)

    def numbers(self, name: str, default: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """Return a list of integers."""
        return tuple(self._list(name, "i", default))

    def reals(self, name: str) -> tuple[float, ...]:
        """Return a list of floats."""
        return tuple(self._list(name, "f", None))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts of ASCII characters."""
        return tuple([each.decode("ascii", "replace") for each in self._list(name, "s", None)])

    def kinds(self, name: str) -> tuple[Kind, ...]:
        """Return a list of dtypes and types of handles."""
        return tuple([dtype_of(number) for number in self._list(name, "type", None)])

    def shapes(self, name: str) -> tuple[TensorShape, ...]:
        """Return a list of shapes; an empty one if the node has no such attribute."""
        return tuple([shape_of_proto(each) for each in self._list(name, "shape", ())])

    def functions(self, name: str) -> tuple[str, ...]:
        """Return the names of functions of the library."""
        return tuple([each.name for each in self._list(name, "func", None)])

    def called(self) -> Iterator[str]:
        """Yield the names of all functions that the node names."""
        for value in self._held.values():
            if value.HasField("func"):
                yield value.func.name
            if value.HasField("list"):
                yield from (each.name for each in value.list.func)

    def _of(self, name: str, field: str, default: Any) -> Any:
        self.read.add(name)
        value = self._held.get(name)
        if value is None:
            if default is None:
                raise self._damaged(name, "is missing")
            return default
        if not value.HasField(field):
            raise self._damaged(name, "is of another kind than its op declares")
        return getattr(value, field)

    def _list(self, name: str, field: str, default: Any) -> Any:
        held = self._of(name, "list", default)
        if held is default:
            return default
        found = getattr(held, field)
        if not found and any(True for _ in held.given_fields()):
            raise self._damaged(name, "is a list of another kind than its op declares")
        return found

    def _damaged(self, name: str, fact: str) -> DataLossError:
        return DataLossError(f"the attribute {name!r} of node {self._node.name!r} {fact}")
