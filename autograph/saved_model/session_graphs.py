"""Reads SavedModels of TensorFlow 1: one graph with variables, and signatures that are parts of it.

They have no objects. A signature names results of nodes in the graph, and each run of it is a run
of a session: from the inputs to the outputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import Parameter
from typing import Any

import numpy as np

from autograph.saved_model.restored import (
    LISTED,
    RestoredFunction,
    RestoredObject,
    SignatureFunction,
    checked,
)
from runtime.core.spec import TensorSpec
from runtime.errors import UnimplementedError
from runtime.export.graphdef.attribute_values import shape_of_proto
from runtime.export.graphdef.data_types import dtype_of_number
from runtime.export.graphdef.importer import graph_between
from runtime.export.graphdef.importer.attributes import stored_array
from runtime.export.graphdef.importer.body import nodes_by_name, source_of
from runtime.export.graphdef.importer.ref_variables import with_handles
from runtime.export.graphdef.messages import GraphDef, NodeDef
from runtime.export.saved_model.messages import SignatureDef, TensorInfo
from runtime.export.saved_model.reader import SavedModelFiles
from runtime.export.traces import FunctionTrace
from runtime.serialization.files import FilesAllowed
from runtime.state.asset import Asset
from runtime.state.variable import Variable

# Signatures that name nodes to run when a server starts.
_INTERNAL = "__saved_model"


class SessionGraph:
    """The graph of a SavedModel without objects.

    Args:
        files: the files.
        allowed: the files that signatures may open.

    Raises:
        DataLossError: the graph is damaged.
        UnimplementedError: it has a part of a variable.
    """

    def __init__(self, files: SavedModelFiles, allowed: FilesAllowed) -> None:
        self._files, self._allowed = files, allowed
        graph = files.meta.graph_def
        self._nodes = nodes_by_name(with_handles(graph.node))
        self._graph = GraphDef(node=list(self._nodes.values()), library=graph.library)
        self._assets = [Asset(files.asset(at)) for at in range(len(files.assets))]
        self._paths = dict(self._paths_of_assets())
        self._variables = dict(self._restored())

    def root(self) -> RestoredObject:
        """Return the object that loading returns: it has the signatures and the variables."""
        root = RestoredObject()
        vars(root)[f"{LISTED}variables"] = list(self._variables.values())
        vars(root)["assets"] = self._assets
        root.signatures = {
            name: self._signature(name, each)
            for name, each in self._files.meta.signature_def.items()
            if not name.startswith(_INTERNAL)
        }
        return root

    def _paths_of_assets(self) -> Iterator[tuple[str, Any]]:
        """Yield the paths of assets by the names of tensors: constants, or reads of variables."""
        tensors = [each.tensor_info.name for each in self._files.assets]
        paths = {source_of(name): asset.asset_path for name, asset in zip(tensors, self._assets)}
        handles = {
            source_of(node.input[0]): paths[source_of(node.input[1])]
            for node in self._nodes.values()
            if node.op == "AssignVariableOp" and source_of(node.input[1]) in paths
        }
        for node in self._nodes.values():
            if node.name in paths:
                yield f"{node.name}:0", paths[node.name]
            elif node.op == "ReadVariableOp" and source_of(node.input[0]) in handles:
                yield f"{node.name}:0", handles[source_of(node.input[0])]

    # -- variables ---------------------------------------------------------------------------------

    def _restored(self) -> Iterator[tuple[str, Variable]]:
        """Yield the variables that the graph reads from its checkpoint, by their shared names."""
        for node in self._nodes.values():
            if node.op == "AssignVariableOp" and len(node.input) > 1:
                place = self._restoring(node.input[1])
                handle = self._nodes.get(source_of(node.input[0]))
                if place is not None and handle is not None and handle.op == "VarHandleOp":
                    name = handle.attr["shared_name"].s.decode() or handle.name
                    yield name, Variable(self._files.array(self._key(*place)), name=name)

    def _restoring(self, text: str) -> tuple[NodeDef, int] | None:
        """Return the node that reads a checkpoint, and the index of a result of it, or None."""
        node = self._nodes.get(source_of(text))
        while node is not None and node.op == "Identity":
            text = node.input[0]
            node = self._nodes.get(source_of(text))
        index = text.partition(":")[2] or "0"
        is_read = node is not None and node.op == "RestoreV2" and index.isdecimal()
        return (node, int(index)) if node is not None and is_read else None

    def _key(self, node: NodeDef, index: int) -> str:
        keys, slices = (self._texts(text) for text in node.input[1:3])
        if slices[index]:
            raise UnimplementedError(
                f"the variable {keys[index]!r} is stored in parts ({slices[index]}): save "
                "the model without a partitioner"
            )
        return keys[index]

    def _texts(self, text: str) -> list[str]:
        array = stored_array(self._nodes[source_of(text)].attr["value"].tensor).whole()
        return [each.decode() for each in np.ravel(array).tolist()]

    # -- signatures --------------------------------------------------------------------------------

    def _signature(self, name: str, message: SignatureDef) -> SignatureFunction:
        names, results = sorted(message.inputs), sorted(message.outputs)
        specs = {each: _spec(name, each, message.inputs[each]) for each in names}
        feeds: dict[str, Any] = {message.inputs[each].name: specs[each] for each in names}
        feeds.update(self._paths)
        fetches = [_name(name, each, message.outputs[each]) for each in results]
        graph = graph_between(self._graph, feeds, fetches, self._variables, name)
        self._allowed.check_graph(graph)
        outputs: Mapping[str, int] = {each: at for at, each in enumerate(results)}
        return signature_function(name, FunctionTrace(((), specs), graph, outputs))


def signature_function(name: str, trace: FunctionTrace) -> SignatureFunction:
    """Return the signature that runs a trace, which takes all of its tensors by name."""
    names = sorted(trace.given[1])
    parameters = [Parameter(each, Parameter.KEYWORD_ONLY) for each in names]
    return SignatureFunction(names, RestoredFunction(name, parameters, [checked(trace)]))


def _spec(signature: str, name: str, info: TensorInfo) -> TensorSpec:
    _name(signature, name, info)
    return TensorSpec(shape_of_proto(info.tensor_shape), dtype_of_number(info.dtype), name)


def _name(signature: str, name: str, info: TensorInfo) -> str:
    """Return the name of the tensor that an input or output of a signature is."""
    found: str = info.name
    if ":" not in found:
        raise UnimplementedError(
            f"{name!r} of the signature {signature!r} is not a single tensor: sparse "
            "tensors and other composite values are not read"
        )
    return found
