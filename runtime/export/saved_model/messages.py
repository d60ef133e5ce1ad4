"""The messages of a SavedModel: the file `saved_model.pb`, its object graph, and its checkpoint.

The names and numbers of the fields are those of TensorFlow's files `saved_model.proto`,
`meta_graph.proto`, `saver.proto`, `saved_object_graph.proto`, `struct.proto`,
`trackable_object_graph.proto` and `tensor_bundle.proto`.
"""

from __future__ import annotations

from runtime.export.graphdef.messages import (
    GraphDef,
    TensorProto,
    TensorShapeProto,
    VersionDef,
)
from runtime.export.protobuf import Field, Message

# -- structures of arguments and results -----------------------------------------------------------


class StructuredValue(Message):
    """A value of a structure: a leaf, such as a tensor's spec or a number, or a container."""


class NoneValue(Message):
    """Python's None."""


class ListValue(Message):
    """A list."""

    FIELDS = (Field("values", 1, StructuredValue, many=True),)


class TupleValue(Message):
    """A tuple."""

    FIELDS = (Field("values", 1, StructuredValue, many=True),)


class DictValue(Message):
    """A dict with texts as keys."""

    FIELDS = (Field("fields", 1, StructuredValue, key="string"),)


class PairValue(Message):
    """A field of a named tuple."""

    FIELDS = (Field("key", 1, "string"), Field("value", 2, StructuredValue))


class NamedTupleValue(Message):
    """A named tuple."""

    FIELDS = (Field("name", 1, "string"), Field("values", 2, PairValue, many=True))


class TensorSpecProto(Message):
    """The spec of a tensor."""

    FIELDS = (
        Field("name", 1, "string"),
        Field("shape", 2, TensorShapeProto),
        Field("dtype", 3, "enum"),
    )


class TypeSpecProto(Message):
    """The spec of a composite value, such as a variable."""

    FIELDS = (
        Field("type_spec_class", 1, "enum"),
        Field("type_state", 2, StructuredValue),
        Field("type_spec_class_name", 3, "string"),
        Field("num_flat_components", 4, "int"),
    )


StructuredValue.define(
    Field("none_value", 1, NoneValue, chosen=True),
    Field("float64_value", 11, "double", chosen=True),
    Field("int64_value", 12, "sint", chosen=True),
    Field("string_value", 13, "string", chosen=True),
    Field("bool_value", 14, "bool", chosen=True),
    Field("tensor_shape_value", 31, TensorShapeProto, chosen=True),
    Field("tensor_dtype_value", 32, "enum", chosen=True),
    Field("tensor_spec_value", 33, TensorSpecProto, chosen=True),
    Field("type_spec_value", 34, TypeSpecProto, chosen=True),
    Field("list_value", 51, ListValue, chosen=True),
    Field("tuple_value", 52, TupleValue, chosen=True),
    Field("dict_value", 53, DictValue, chosen=True),
    Field("named_tuple_value", 54, NamedTupleValue, chosen=True),
    Field("tensor_value", 55, TensorProto, chosen=True),
    Field("numpy_value", 56, TensorProto, chosen=True),
)


# -- the object graph ------------------------------------------------------------------------------


class ObjectReference(Message):
    """An object that another one has as an attribute, by its number."""

    FIELDS = (Field("node_id", 1, "int"), Field("local_name", 2, "string"))


class SlotVariableReference(Message):
    """A variable that an optimizer keeps for another one, such as its momentum."""

    FIELDS = (
        Field("original_variable_node_id", 1, "int"),
        Field("slot_name", 2, "string"),
        Field("slot_variable_node_id", 3, "int"),
    )


class SavedUserObject(Message):
    """An object with attributes; its identifier names a loader."""

    FIELDS = (
        Field("identifier", 1, "string"),
        Field("version", 2, VersionDef),
        Field("metadata", 3, "string"),
    )


class SavedAsset(Message):
    """A file of the directory, by its number among the asset files."""

    FIELDS = (Field("asset_file_def_index", 1, "int"),)


class FunctionSpec(Message):
    """The parameters of a function, and its input signature."""

    FIELDS = (
        Field("fullargspec", 1, StructuredValue),
        Field("is_method", 2, "bool"),
        Field("input_signature", 5, StructuredValue),
        Field("jit_compile", 6, "enum"),
    )


class SavedFunction(Message):
    """A function with several traces, which are named."""

    FIELDS = (
        Field("concrete_functions", 1, "string", many=True),
        Field("function_spec", 2, FunctionSpec),
    )


class SavedBareConcreteFunction(Message):
    """A single trace, such as a signature."""

    FIELDS = (
        Field("concrete_function_name", 1, "string"),
        Field("argument_keywords", 2, "string", many=True),
        Field("allowed_positional_arguments", 3, "int"),
        Field("function_spec", 4, FunctionSpec),
    )


class SavedConcreteFunction(Message):
    """A trace: the objects that it uses, and the structures of its arguments and its result."""

    FIELDS = (
        Field("bound_inputs", 2, "int", many=True),
        Field("canonicalized_input_signature", 3, StructuredValue),
        Field("output_signature", 4, StructuredValue),
    )


class SavedVariable(Message):
    """A variable; its value is in the checkpoint."""

    FIELDS = (
        Field("dtype", 1, "enum"),
        Field("shape", 2, TensorShapeProto),
        Field("trainable", 3, "bool"),
        Field("synchronization", 4, "enum"),
        Field("aggregation", 5, "enum"),
        Field("name", 6, "string"),
        Field("device", 7, "string"),
    )


class SavedConstant(Message):
    """A tensor that functions use, by the name of its node in the graph."""

    FIELDS = (Field("operation", 1, "string"),)


class SavedResource(Message):
    """A table or another object that functions of the file create."""

    FIELDS = (Field("device", 1, "string"),)


class CapturedTensor(Message):
    """A tensor that a function has captured from another one."""

    FIELDS = (Field("name", 1, "string"), Field("concrete_function", 2, "string"))


class SaveableObject(Message):
    """The functions that save and restore a value of an object."""

    FIELDS = (Field("save_function", 2, "int"), Field("restore_function", 3, "int"))


class SavedObject(Message):
    """One object: its attributes, and one of the kinds."""

    FIELDS = (
        Field("children", 1, ObjectReference, many=True),
        Field("slot_variables", 3, SlotVariableReference, many=True),
        Field("user_object", 4, SavedUserObject, chosen=True),
        Field("asset", 5, SavedAsset, chosen=True),
        Field("function", 6, SavedFunction, chosen=True),
        Field("variable", 7, SavedVariable, chosen=True),
        Field("bare_concrete_function", 8, SavedBareConcreteFunction, chosen=True),
        Field("constant", 9, SavedConstant, chosen=True),
        Field("resource", 10, SavedResource, chosen=True),
        Field("saveable_objects", 11, SaveableObject, key="string"),
        Field("captured_tensor", 12, CapturedTensor, chosen=True),
        Field("registered_name", 13, "string"),
        Field("dependencies", 15, ObjectReference, many=True),
        Field("registered_saver", 16, "string"),
    )


class SavedObjectGraph(Message):
    """The objects, the first of which is the saved one, and the traces of their functions."""

    FIELDS = (
        Field("nodes", 1, SavedObject, many=True),
        Field("concrete_functions", 2, SavedConcreteFunction, key="string"),
    )


# -- the file --------------------------------------------------------------------------------------


class TensorInfo(Message):
    """An input or output of a signature: the name of its tensor in the graph."""

    FIELDS = (
        Field("name", 1, "string"),
        Field("dtype", 2, "enum"),
        Field("tensor_shape", 3, TensorShapeProto),
    )


class SignatureDef(Message):
    """A function that a server offers by name."""

    FIELDS = (
        Field("inputs", 1, TensorInfo, key="string"),
        Field("outputs", 2, TensorInfo, key="string"),
        Field("method_name", 3, "string"),
    )


class AssetFileDef(Message):
    """A file in the folder `assets`, and the tensor of its path."""

    FIELDS = (Field("tensor_info", 1, TensorInfo), Field("filename", 2, "string"))


class SaverDef(Message):
    """The nodes of the graph that read a checkpoint."""

    FIELDS = (
        Field("filename_tensor_name", 1, "string"),
        Field("save_tensor_name", 2, "string"),
        Field("restore_op_name", 3, "string"),
        Field("max_to_keep", 4, "int"),
        Field("sharded", 5, "bool"),
        Field("keep_checkpoint_every_n_hours", 6, "float"),
        Field("version", 7, "enum"),
    )


class NodeList(Message):
    """The nodes of a collection, by name."""

    FIELDS = (Field("value", 1, "string", many=True),)


class AnyMessage(Message):
    """The bytes of a message, and its type."""

    FIELDS = (Field("type_url", 1, "string"), Field("value", 2, "bytes"))


class AnyList(Message):
    """The messages of a collection."""

    FIELDS = (Field("value", 1, AnyMessage, many=True),)


class CollectionDef(Message):
    """A collection of a graph, such as its initializers, or its assets in TensorFlow 1."""

    FIELDS = (
        Field("node_list", 1, NodeList, chosen=True),
        Field("any_list", 5, AnyList, chosen=True),
    )


class MetaInfoDef(Message):
    """The tags of a graph, and the version of TensorFlow that it is for."""

    FIELDS = (
        Field("meta_graph_version", 1, "string"),
        Field("tags", 4, "string", many=True),
        Field("tensorflow_version", 5, "string"),
        Field("tensorflow_git_version", 6, "string"),
        Field("stripped_default_attrs", 7, "bool"),
        Field("function_aliases", 8, "string", key="string"),
    )


class MetaGraphDef(Message):
    """A graph with its signatures and objects."""

    FIELDS = (
        Field("meta_info_def", 1, MetaInfoDef),
        Field("graph_def", 2, GraphDef),
        Field("saver_def", 3, SaverDef),
        Field("collection_def", 4, CollectionDef, key="string"),
        Field("signature_def", 5, SignatureDef, key="string"),
        Field("asset_file_def", 6, AssetFileDef, many=True),
        Field("object_graph_def", 7, SavedObjectGraph),
    )


class SavedModel(Message):
    """The content of `saved_model.pb`."""

    FIELDS = (
        Field("saved_model_schema_version", 1, "int"),
        Field("meta_graphs", 2, MetaGraphDef, many=True),
    )


# -- the checkpoint --------------------------------------------------------------------------------


class SerializedTensor(Message):
    """A value of an object in the checkpoint, by its key there."""

    FIELDS = (
        Field("name", 1, "string"),
        Field("full_name", 2, "string"),
        Field("checkpoint_key", 3, "string"),
    )


class BoolValue(Message):
    """A truth value that may be missing."""

    FIELDS = (Field("value", 1, "bool"),)


class TrackableObject(Message):
    """An object of a checkpoint: its attributes and its values."""

    FIELDS = (
        Field("children", 1, ObjectReference, many=True),
        Field("attributes", 2, SerializedTensor, many=True),
        Field("slot_variables", 3, SlotVariableReference, many=True),
        Field("has_checkpoint_values", 5, BoolValue, chosen=True),
    )


class TrackableObjectGraph(Message):
    """The objects of a checkpoint, with the same numbers as in the SavedModel."""

    FIELDS = (Field("nodes", 1, TrackableObject, many=True),)


class BundleHeaderProto(Message):
    """The entry under the empty key: the number of data files."""

    FIELDS = (
        Field("num_shards", 1, "int"),
        Field("endianness", 2, "enum"),
        Field("version", 3, VersionDef),
    )


class BundleEntryProto(Message):
    """The place of the bytes of a tensor, and their checksum."""

    FIELDS = (
        Field("dtype", 1, "enum"),
        Field("shape", 2, TensorShapeProto),
        Field("shard_id", 3, "int"),
        Field("offset", 4, "int"),
        Field("size", 5, "int"),
        Field("crc32c", 6, "fixed32"),
    )
