"""A GraphDef as a value: nodes and a library of functions, as TensorFlow stores graphs.

Texts and bytes need no other package; `to_proto` returns TensorBoard's message, which the extra
`tensorboard` installs.
"""

from __future__ import annotations

from typing import Any

from runtime.errors import UnimplementedError
from runtime.export.protobuf import Field, Message

# The GraphDef version of TensorFlow 2.21, which this lowering targets, and the first version whose
# readers accept the result.
PRODUCER = 2474
MIN_CONSUMER = 12


class Dim(Message):
    """One dimension of a shape, -1 if it is unknown."""

    FIELDS = (Field("size", 1, "int"), Field("name", 2, "string"))


class TensorShapeProto(Message):
    """A shape."""

    FIELDS = (Field("dim", 2, Dim, many=True), Field("unknown_rank", 3, "bool"))


class TensorProto(Message):
    """A value: its bytes, or its elements in the field for their dtype."""

    FIELDS = (
        Field("dtype", 1, "enum"),
        Field("tensor_shape", 2, TensorShapeProto),
        Field("tensor_content", 4, "bytes"),
        Field("half_val", 13, "int32", many=True),
        Field("float_val", 5, "float", many=True),
        Field("double_val", 6, "double", many=True),
        Field("int_val", 7, "int32", many=True),
        Field("string_val", 8, "bytes", many=True),
        Field("scomplex_val", 9, "float", many=True),
        Field("int64_val", 10, "int", many=True),
        Field("bool_val", 11, "bool", many=True),
        Field("dcomplex_val", 12, "double", many=True),
        Field("uint32_val", 16, "uint32", many=True),
        Field("uint64_val", 17, "uint64", many=True),
    )


class NameAttrList(Message):
    """A function of the library, by name."""

    FIELDS = (Field("name", 1, "string"),)


class AttrListValue(Message):
    """An attribute of several values."""

    FIELDS = (
        Field("s", 2, "bytes", many=True),
        Field("i", 3, "int", many=True),
        Field("f", 4, "float", many=True),
        Field("b", 5, "bool", many=True),
        Field("type", 6, "enum", many=True),
        Field("shape", 7, TensorShapeProto, many=True),
        Field("func", 9, NameAttrList, many=True),
    )


class AttrValue(Message):
    """An attribute of a node: one of these fields."""

    FIELDS = (
        Field("list", 1, AttrListValue, chosen=True),
        Field("s", 2, "bytes", chosen=True),
        Field("i", 3, "int", chosen=True),
        Field("f", 4, "float", chosen=True),
        Field("b", 5, "bool", chosen=True),
        Field("type", 6, "enum", chosen=True),
        Field("shape", 7, TensorShapeProto, chosen=True),
        Field("tensor", 8, TensorProto, chosen=True),
        Field("func", 10, NameAttrList, chosen=True),
    )


class NodeDef(Message):
    """One node: its op, and the results it takes as inputs; `^name` only waits for a node."""

    FIELDS = (
        Field("name", 1, "string"),
        Field("op", 2, "string"),
        Field("input", 3, "string", many=True),
        Field("device", 4, "string"),
        Field("attr", 5, AttrValue, key="string"),
    )


class ArgDef(Message):
    """A parameter or result of a function."""

    FIELDS = (
        Field("name", 1, "string"),
        Field("description", 2, "string"),
        Field("type", 3, "enum"),
        Field("type_attr", 4, "string"),
    )


class OpDef(Message):
    """The inputs and the outputs of a function."""

    FIELDS = (
        Field("name", 1, "string"),
        Field("input_arg", 2, ArgDef, many=True),
        Field("output_arg", 3, ArgDef, many=True),
        Field("control_output", 20, "string", many=True),
        Field("is_stateful", 17, "bool"),
    )


class ArgAttrs(Message):
    """Attributes of one parameter of a function."""

    FIELDS = (Field("attr", 1, AttrValue, key="string"),)


class FunctionDef(Message):
    """A function of the library: a branch, a loop's test or body, or a called graph."""

    FIELDS = (
        Field("signature", 1, OpDef),
        Field("attr", 5, AttrValue, key="string"),
        Field("arg_attr", 7, ArgAttrs, key="uint32"),
        Field("node_def", 3, NodeDef, many=True),
        Field("ret", 4, "string", key="string"),
        Field("control_ret", 6, "string", key="string"),
    )


class FunctionDefLibrary(Message):
    """The functions that nodes name."""

    FIELDS = (Field("function", 1, FunctionDef, many=True),)


class VersionDef(Message):
    """The versions of readers of a graph."""

    FIELDS = (Field("producer", 1, "int32"), Field("min_consumer", 2, "int32"))


class GraphDef(Message):
    """A graph: nodes in an executable order, and the functions they name.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> double = ag.function(lambda x: x * 2)
        >>> graph = double.get_concrete_function(rt.constant(1)).graph
        >>> for node in graph.as_graph_def().node:
        ...     print(f"{node.input} -> {node.name}")
        [] -> x
        [] -> Const
        ['x', 'Const'] -> Mul
        ['Mul'] -> Identity
    """

    FIELDS = (
        Field("node", 1, NodeDef, many=True),
        Field("versions", 4, VersionDef),
        Field("library", 2, FunctionDefLibrary),
    )

    def to_proto(self) -> Any:
        """Return TensorBoard's message with the same contents.

        Raises:
            UnimplementedError: TensorBoard is not installed.
        """
        try:
            from tensorboard.compat.proto.graph_pb2 import GraphDef as Proto
        except ImportError:
            raise UnimplementedError(
                "to_proto() makes TensorBoard's message: pip install 'autograph-py[tensorboard]'; "
                "str() and SerializeToString() need nothing"
            ) from None
        return Proto.FromString(self.SerializeToString())


class ShownGraphDef(GraphDef):
    """A graph for display: TensorFlow cannot run it.

    Args:
        refusal: the error with the reason, which reading the bytes raises.
        shown: the graph.
    """

    __slots__ = ("_refusal",)
    FIELDS = GraphDef.FIELDS
    _refusal: UnimplementedError

    def __init__(self, refusal: UnimplementedError, shown: GraphDef) -> None:
        super().__init__(**{field.name: value for field, value in shown.given_fields()})
        object.__setattr__(self, "_refusal", refusal)

    def SerializeToString(self) -> bytes:
        """Raise the refusal: bytes are meant for another process.

        Raises:
            UnimplementedError: always; it names the op and its line.
        """
        raise self._refusal

    @classmethod
    def FromString(cls, data: bytes) -> Any:
        """Return the GraphDef of bytes, which are never those of a graph for display."""
        return GraphDef.FromString(data)

    def __hash__(self) -> int:
        return hash(str(self))
