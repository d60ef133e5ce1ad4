"""Messages: fields, text and bytes, compared with TensorBoard's where it is installed."""

from __future__ import annotations

import importlib
import sys

import pytest

from runtime.errors import ArgumentValueError, UnimplementedError
from runtime.export.graphdef.messages import (
    ArgAttrs,
    ArgDef,
    AttrListValue,
    AttrValue,
    FunctionDef,
    FunctionDefLibrary,
    GraphDef,
    NodeDef,
    OpDef,
    TensorProto,
    TensorShapeProto,
    VersionDef,
)

TENSOR = TensorProto(
    dtype=3,
    tensor_shape=TensorShapeProto(unknown_rank=True),
    int_val=[1, -2],
    float_val=[0.1, 1e10, float("inf"), float("nan"), -0.0, 1, 123456789, 3.4028234e38, 1e-7],
    double_val=[0.1, 1 / 3, 1e22],
)
NODE = NodeDef(
    name="a'\"\\é\n\x01",
    attr={
        "z": AttrValue(s="é\x00\x7f\n'\"?".encode()),
        "f": AttrValue(f=0.1),
        "b": AttrValue(b=False),
        "l": AttrValue(list=AttrListValue()),
        "l2": AttrValue(list=AttrListValue(i=[1, 2])),
        "e": AttrValue(),
        "t": AttrValue(tensor=TENSOR),
    },
)
FUNCTION = FunctionDef(
    signature=OpDef(
        name="f",
        input_arg=[ArgDef(name="x", type=3)],
        is_stateful=True,
        control_output=["c"],
    ),
    node_def=[NodeDef(name="q", input=["a", "^b"])],
    ret={"b": "a", "a": "b"},
    control_ret={"x": "y"},
    attr={"k": AttrValue(b=True)},
    arg_attr={1: ArgAttrs(attr={"p": AttrValue(i=-3)}), 0: ArgAttrs()},
)
GRAPH = GraphDef(
    node=[NODE],
    versions=VersionDef(producer=5),
    library=FunctionDefLibrary(function=[FUNCTION]),
)


def test_unset_fields_have_defaults() -> None:
    node = NodeDef(name="x")
    assert ("x", "", (), {}) == (node.name, node.op, node.input, dict(node.attr))
    assert AttrValue().tensor.tensor_shape.unknown_rank is False
    assert node.HasField("name") and not node.HasField("op")


def test_a_oneof_field_prints_its_default_and_others_do_not() -> None:
    assert "b: false\n" == str(AttrValue(b=False))
    assert "" == str(VersionDef(producer=0)) and b"" == VersionDef(producer=0).SerializeToString()


def test_messages_are_values() -> None:
    assert NodeDef(name="x") == NodeDef(name="x") != NodeDef(name="y")
    assert hash(NodeDef(name="x")) == hash(NodeDef(name="x"))
    with pytest.raises(AttributeError, match="frozen"):
        GRAPH.versions = VersionDef()
    with pytest.raises(ArgumentValueError, match="no field 'nodes'"):
        GraphDef(nodes=[])
    with pytest.raises(AttributeError, match="no field 'nodes'"):
        GRAPH.nodes
    assert "NodeDef(name='x')" == repr(NodeDef(name="x"))
    assert "y" == NodeDef(name="x", op="f").with_values(name="y").name


def test_the_text_escapes_sorts_and_rounds() -> None:
    text = str(GRAPH)
    assert text.startswith('node {\n  name: "a\\\'\\"\\\\é\\n\\001"\n  attr {\n    key: "b"\n')
    assert '      s: "\\303\\251\\000\\177\\n\\\'\\"?"\n' in text
    floats = [line.split()[1] for line in text.splitlines() if "float_val" in line]
    assert ["0.1", "10000000000.0", "inf", "nan", "-0.0", "1.0", "123456790.0"] == floats[:7]
    assert ["3.4028235e+38", "1e-07"] == floats[7:]
    assert text.index('key: "a"\n      value: "b"') < text.index('key: "b"\n      value: "a"')
    assert text.endswith("versions {\n  producer: 5\n}\n")


def test_the_bytes_are_tags_and_values() -> None:
    assert b"\x0a\x01x" == NodeDef(name="x").SerializeToString()
    assert b"\x18\x03" == ArgDef(type=3).SerializeToString()
    assert b"\x3a\x03\x01\xac\x02" == TensorProto(int_val=[1, 300]).SerializeToString()
    assert b"\x2d\x00\x00\x80\x3f"[1:] in TensorProto(float_val=[1.0]).SerializeToString()
    assert b"\x22\x06\x0a\x01a\x12\x01b" == FunctionDef(ret={"a": "b"}).SerializeToString()


def test_tensorboard_reads_the_bytes_and_prints_the_same() -> None:
    pytest.importorskip("tensorboard")
    text_format = importlib.import_module("google.protobuf.text_format")
    proto = GRAPH.to_proto()
    assert text_format.MessageToString(proto) == str(GRAPH)
    assert "q" == proto.library.function[0].node_def[0].name
    assert -3 == proto.library.function[0].arg_attr[1].attr["p"].i


def test_a_missing_tensorboard_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard.compat.proto.graph_pb2", None)
    with pytest.raises(UnimplementedError, match=r"pip install 'autograph-py\[tensorboard\]'"):
        GRAPH.to_proto()
