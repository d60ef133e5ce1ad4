"""Writes archives: an object's variables and the traces of its functions, with all ops.

The format is this project's own. `save` writes SavedModels, which other programs read as well.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from inspect import Parameter
from typing import Any

from autograph.errors import ExportError
from autograph.saved_model.archive_structures import structure_data
from autograph.saved_model.contents import contents_of
from autograph.saved_model.saving import check_values, kind_of
from runtime.core.argument_checks import file_path
from runtime.core.files import StrPath
from runtime.errors import GraphError
from runtime.export.traces import FunctionTrace, TracedFunction
from runtime.graph.capture import Outer
from runtime.serialization.attributes import Arrays, shape_data
from runtime.serialization.writing import GraphWriter
from runtime.state.asset import Asset
from runtime.state.variable import Variable
from runtime.train import archive
from runtime.train.object_graph import TrackedObject

NAME = "saved_model"


def save_archive(
    obj: object, export_dir: StrPath, signatures: Any = None, options: Any = None
) -> None:
    """Write an object to a folder in a format of this project, which keeps every op.

    It is for functions that TensorFlow has no nodes for, such as those with `try`, and is read by
    `load`. Arguments and errors are those of `save`, but that no op is refused.

    Raises:
        ExportError: the object has an asset: an archive is one file.
        GraphError: a part of a graph cannot be saved, such as a Python function or a dataset, or a
            graph uses a variable that is not found by attributes.

    Example:
        >>> import tempfile
        >>> import autograph as ag, runtime as rt
        >>> class Line(rt.Module):
        ...     def __init__(self):
        ...         self.gradient = rt.Variable(2.0)
        ...     @ag.function(input_signature=[rt.TensorSpec(None, rt.float32)])
        ...     def __call__(self, x):
        ...         return self.gradient * x
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ag.saved_model.save_archive(Line(), folder)
        ...     line = ag.saved_model.load(folder)
        >>> print(line(rt.constant([1.0, 3.0])), line.gradient.numpy())
        rt.Tensor([2. 6.], shape=(2,), dtype=float32) 2.0
    """
    contents = contents_of(obj, signatures)
    prefix = os.path.join(file_path(export_dir, "export_dir"), NAME)
    places = {id(each.value): at for at, each in enumerate(contents.objects)}
    writer = GraphWriter(partial(outside, places))
    objects = [_object_data(*pair, writer) for pair in zip(contents.objects, contents.functions)]
    data = {
        "objects": objects,
        "graphs": writer.graphs,
        "signatures": {
            name: _data(each.function, each.trace, writer)
            for name, each in contents.signatures.items()
        },
    }
    archive.write(prefix, data, writer.arrays.table)


def _object_data(
    found: TrackedObject, functions: Mapping[str, TracedFunction], writer: GraphWriter
) -> Data:
    value = found.value
    if isinstance(value, Variable):
        return {
            "kind": "variable",
            "name": value.name.partition(":")[0],
            "shape": shape_data(value.shape),
            "trainable": value.trainable,
            "value": writer.arrays.put(value._array),
        }
    if isinstance(value, Asset):
        raise ExportError(
            f"an archive has no file of the asset {value.path!r}: save the object with "
            "ag.saved_model.save"
        )
    return {
        "kind": kind_of(value),
        "name": type(value).__name__,
        "parts": found.parts,
        "functions": {
            name: [_data(each, trace, writer) for trace in each.traces]
            for name, each in functions.items()
        },
    }


# -- traces as data of a file: graph, arguments and result -----------------------------------------


Data = dict[str, Any]


def _data(function: TracedFunction, trace: FunctionTrace, writer: GraphWriter) -> Data:
    check_values(function, trace, lambda value: structure_data(value, Arrays()))
    return {
        "name": function.name,
        "graph": writer.put(trace.graph),
        "parameters": [_parameter_data(each, writer) for each in function.parameters],
        "given": structure_data(trace.given, writer.arrays),
        "result": structure_data(trace.result, writer.arrays),
    }


def _parameter_data(parameter: Parameter, writer: GraphWriter) -> list[Any]:
    data: list[Any] = [parameter.name, parameter.kind.name]
    if parameter.default is not Parameter.empty:
        try:
            data.append(structure_data(parameter.default, writer.arrays))
        except GraphError:
            pass  # then the caller must pass it
    return data


def outside(places: dict[int, int], outer: Outer) -> Any:
    """Return a captured variable as data: its number among the objects.

    Raises:
        GraphError: it is not a variable of the object.
    """
    place = places.get(id(outer))
    if place is not None:
        return {"object": place}
    if isinstance(outer, Variable):
        raise GraphError(
            f"the variable {outer.name!r} is used by a function, and no attribute of the object "
            "that is saved leads to it: set it as an attribute"
        )
    raise GraphError(f"a function uses a {type(outer).__name__}, which no file can hold")
