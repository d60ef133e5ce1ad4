"""Constants and attributes of GraphDefs as Python values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runtime.core.shapes import as_shape
from runtime.errors import DataLossError, UnimplementedError
from runtime.export.graphdef.attribute_values import (
    attr_value,
    shape_of_proto,
    shape_proto,
    tensor_proto,
)
from runtime.export.graphdef.importer.attributes import NodeAttributes, dtype_of, stored_array
from runtime.export.graphdef.messages import AttrValue, Dim, NodeDef, TensorProto, TensorShapeProto

ARRAYS = [
    np.array(2, np.int32),
    np.array([1, -2, 3], np.int64),
    np.array([[1.5, -0.0], [np.inf, np.nan]], np.float32),
    np.array([2.5], np.float64),
    np.array([1.5, -2], np.float16),
    np.array([True, False]),
    np.array([2**64 - 1, 0], np.uint64),
    np.array(200, np.uint8),
    np.array(-5, np.int8),
    np.array([1 + 2j, -3j], np.complex64),
    np.array([[1 - 2j]], np.complex128),
    np.array([b"a", b"\xff"], object),
    np.zeros((0, 3), np.float32),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.dtype))
def test_a_constant_is_read_as_it_was_written(array: np.ndarray) -> None:
    found = stored_array(TensorProto.FromString(tensor_proto(array).SerializeToString())).whole()
    assert (array.dtype, array.shape) == (found.dtype, found.shape)
    assert array.tobytes() == found.tobytes() or array.tolist() == found.tolist()


def test_the_last_element_fills_omitted_ones() -> None:
    shape = TensorShapeProto(dim=[Dim(size=2), Dim(size=2)])
    splat = TensorProto(dtype=1, tensor_shape=shape, float_val=[1.0, 2.0])
    assert [[1, 2], [2, 2]] == stored_array(splat).whole().tolist()
    assert [[0, 0], [0, 0]] == stored_array(
        TensorProto(dtype=3, tensor_shape=shape)
    ).whole().tolist()


def _sized(*sizes: int) -> TensorShapeProto:
    return TensorShapeProto(dim=[Dim(size=size) for size in sizes])


DAMAGED = {
    "2 elements, and its shape 1": TensorProto(dtype=3, tensor_shape=_sized(1), int_val=[1, 2]),
    "not fully known": TensorProto(dtype=3, tensor_shape=_sized(-1)),
    "3 bytes, and its shape 8": TensorProto(dtype=3, tensor_shape=_sized(2), tensor_content=b"abc"),
    "larger than": TensorProto(dtype=3, tensor_shape=_sized(2**20, 2**20)),
    "element that is too large": TensorProto(dtype=4, tensor_shape=_sized(), int_val=[256]),
    "without an imaginary one": TensorProto(dtype=8, tensor_shape=_sized(1), scomplex_val=[1.0]),
}


@pytest.mark.parametrize("words", DAMAGED)
def test_a_damaged_constant_is_refused(words: str) -> None:
    with pytest.raises(DataLossError, match=words):
        stored_array(DAMAGED[words]).whole()


def test_dtypes_without_a_counterpart_are_refused() -> None:
    for number in (0, 11, 101, 999, -1):
        with pytest.raises(UnimplementedError, match=f"number {number} does not exist"):
            dtype_of(number)
    with pytest.raises(UnimplementedError, match="an object, not a tensor"):
        stored_array(TensorProto(dtype=21)).whole()


@pytest.mark.parametrize("dims", [None, (), (2, None), (0,)])
def test_shapes_are_read_as_they_were_written(dims: Any) -> None:
    found = shape_of_proto(
        TensorShapeProto.FromString(shape_proto(as_shape(dims)).SerializeToString())
    )
    assert dims == found.dims


def test_attributes_are_checked_for_their_kinds() -> None:
    node = NodeDef(name="x", attr={"i": attr_value(2), "l": attr_value([1, 2]), "e": AttrValue()})
    attrs = NodeAttributes(node)
    assert (2, (1, 2), 5) == (attrs.number("i"), attrs.numbers("l"), attrs.number("other", 5))
    with pytest.raises(DataLossError, match="'i' of node 'x' is of another kind"):
        attrs.flag("i")
    with pytest.raises(DataLossError, match="'e' of node 'x' is of another kind"):
        attrs.number("e")
    with pytest.raises(DataLossError, match="'z' of node 'x' is missing"):
        attrs.number("z")
    with pytest.raises(DataLossError, match="'l' of node 'x' is a list of another kind"):
        attrs.kinds("l")
    with pytest.raises(DataLossError, match="not UTF-8"):
        NodeAttributes(NodeDef(attr={"s": AttrValue(s=b"\xff")})).text("s")
    assert attrs.read == {"i", "l", "e", "z", "other"}
