"""The protocol buffer messages of event files."""

from __future__ import annotations

from runtime.export.graphdef.messages import GraphDef, TensorProto
from runtime.export.protobuf import Field, Message


class PluginData(Message):
    """The plugin of TensorBoard that shows a value, and the data that it needs."""

    FIELDS = (Field("plugin_name", 1, "string"), Field("content", 2, "bytes"))


class SummaryMetadata(Message):
    """The display options of the values of a tag."""

    FIELDS = (
        Field("plugin_data", 1, PluginData),
        Field("display_name", 2, "string"),
        Field("summary_description", 3, "string"),
        Field("data_class", 4, "enum"),
    )


# The data classes of tags: scalars, tensors, blobs.
SCALAR, TENSOR, BLOB_SEQUENCE = 1, 2, 3


class SummaryValue(Message):
    """One value: its tag, a tensor, and the bytes of a SummaryMetadata."""

    FIELDS = (
        Field("tag", 1, "string"),
        Field("metadata", 9, "bytes"),
        Field("tensor", 8, TensorProto, chosen=True),
    )


class Summary(Message):
    """The values of one event."""

    FIELDS = (Field("value", 1, SummaryValue, many=True),)


class SourceMetadata(Message):
    """The writer of an event file."""

    FIELDS = (Field("writer", 1, "string"),)


class Event(Message):
    """An event, one record of an event file."""

    FIELDS = (
        Field("wall_time", 1, "double"),
        Field("step", 2, "int"),
        Field("file_version", 3, "string", chosen=True),
        Field("graph_def", 4, "bytes", chosen=True),
        Field("summary", 5, Summary, chosen=True),
        Field("source_metadata", 10, SourceMetadata),
    )


class FunctionGraphs(Message):
    """The graph of a function that has run."""

    FIELDS = (Field("pre_optimization_graph", 2, GraphDef),)


class RunMetadata(Message):
    """The graphs that have run."""

    FIELDS = (Field("function_graphs", 4, FunctionGraphs, many=True),)
