"""Writes SavedModel directories.

saved_model.pb                            the graph, its functions, signatures and objects
variables/variables.index, .data-...      the values of the variables
assets/                                   files that the functions read
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core.folders import replacing_folder
from runtime.core.spec import TensorSpec
from runtime.errors import AlreadyExistsError, GraphError
from runtime.export.graphdef.attribute_values import shape_proto
from runtime.export.graphdef.data_types import number_of
from runtime.export.graphdef.messages import (
    MIN_CONSUMER,
    PRODUCER,
    FunctionDef,
    FunctionDefLibrary,
    GraphDef,
    VersionDef,
)
from runtime.export.graphdef.node_lowering import NodeFormat
from runtime.export.graphdef.rules import GRAPHDEF
from runtime.export.graphdef.to_function import LibraryFunction, library_function
from runtime.export.integer_bounds import overflow_omissions
from runtime.export.report import ExportReport, refuse_omissions
from runtime.export.saved_model.asset_files import ASSETS, AssetFiles, copy_assets
from runtime.export.saved_model.main_graph import INITIALIZER, MainGraph
from runtime.export.saved_model.messages import (
    AssetFileDef,
    BoolValue,
    FunctionSpec,
    MetaGraphDef,
    MetaInfoDef,
    ObjectReference,
    SavedAsset,
    SavedBareConcreteFunction,
    SavedConcreteFunction,
    SavedFunction,
    SavedModel,
    SavedObject,
    SavedObjectGraph,
    SavedUserObject,
    SavedVariable,
    SerializedTensor,
    SignatureDef,
    TensorInfo,
    TrackableObject,
    TrackableObjectGraph,
)
from runtime.export.saved_model.structured_values import full_argument_spec, structured_value
from runtime.export.saved_model.tensor_bundle import write_bundle
from runtime.export.traces import (
    ExportedProgram,
    FunctionTrace,
    ObjectNode,
    Signature,
    TracedFunction,
    input_names,
    mapped,
)
from runtime.state.asset import asset_of
from runtime.state.variable import Variable

FILE = "saved_model.pb"
VARIABLES = "variables"
OBJECT_GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
VALUE = "VARIABLE_VALUE"
SERVE = "serve"
# The version of TensorFlow whose files these are.
TENSORFLOW = "2.21.0"

_OBJECT_VERSION = VersionDef(producer=1, min_consumer=1)
_IDENTIFIERS = {
    "object": "_generic_user_object",
    "list": "trackable_list_wrapper",
    "tuple": "trackable_tuple_wrapper",
    "dict": "trackable_dict_wrapper",
}


def write_saved_model(
    program: ExportedProgram, path: str, *, strict: bool = False, target: NodeFormat = GRAPHDEF
) -> ExportReport:
    """Write a directory that TensorFlow and its servers load.

    Args:
        program: the objects and the signatures.
        path: the directory; an earlier SavedModel in it is replaced at once.
        strict: whether Python ints that may no longer fit, and wrap around in TensorFlow, are an
            error; by default the report lists them.
        target: the format that a converter makes of it.

    Raises:
        UnimplementedError: an op of a trace has no counterpart in TensorFlow, or `strict` refuses
            some.
        GraphError: a trace uses a variable that is not among the objects, or has an argument that
            no SavedModel can hold.
        AlreadyExistsError: the directory has no SavedModel, but a folder that would be replaced.
        NotFoundError, PermissionDeniedError, ResourceExhaustedError: it cannot be written, or the
            file of an asset cannot be read.
    """
    builder = _SavedModelBuilder(program.objects, target)
    meta = builder.meta_graph(program.signatures)
    functions = [function for each in program.objects for function in each.functions.values()]
    traces = [trace for each in functions for trace in each.traces]
    traces += [each.trace for each in program.signatures.values()]
    omissions = overflow_omissions({id(each.graph): each.graph for each in traces}.values())
    if strict:
        refuse_omissions("a SavedModel", omissions)
    content = SavedModel(saved_model_schema_version=1, meta_graphs=[meta]).SerializeToString()
    tensors: dict[str, Any] = {key: each._array for key, each in builder.variables.items()}
    graph = builder.trackable_graph().SerializeToString()
    tensors[OBJECT_GRAPH_KEY] = np.array(graph, object)
    _check_folder(path)
    with replacing_folder(path) as folder:
        os.mkdir(os.path.join(folder, VARIABLES))
        copy_assets(builder.assets.files, os.path.join(folder, ASSETS))
        files = write_bundle(os.path.join(folder, VARIABLES, VARIABLES), tensors)
        with open(os.path.join(folder, FILE), "wb") as file:
            file.write(content)
    names = [
        FILE,
        *(os.path.join(VARIABLES, os.path.basename(each)) for each in files),
        *(os.path.join(ASSETS, each) for each in builder.assets.files),
    ]
    return ExportReport("saved_model", [os.path.join(path, each) for each in names], [], omissions)


def _check_folder(path: str) -> None:
    """Raise AlreadyExistsError if a folder of something else has folders that are replaced."""
    for name in (ASSETS, VARIABLES):
        found = os.path.join(path, name)
        if os.path.exists(found) and not os.path.isfile(os.path.join(path, FILE)):
            raise AlreadyExistsError(
                f"{found!r} belongs to something other than a SavedModel: give a new folder"
            )


class _SavedModelBuilder:
    """The messages of a directory under construction."""

    def __init__(self, objects: Sequence[ObjectNode], target: NodeFormat) -> None:
        self._objects = objects
        self._target = target
        self.variables = {each.key: each.variable for each in objects if each.variable is not None}
        self._places = {
            id(each.variable): place
            for place, each in enumerate(objects)
            if each.variable is not None
        }
        self.assets = AssetFiles([each.asset for each in objects if each.asset is not None])
        for place, each in enumerate(objects):
            if each.asset is not None:
                self._places[id(each.asset.asset_path)] = place
        self._functions: dict[str, FunctionDef] = {}
        self._traces: dict[str, SavedConcreteFunction] = {}
        self._nodes: list[SavedObject] = []

    def meta_graph(self, signatures: Mapping[str, Signature]) -> MetaGraphDef:
        """Return the graph with its objects."""
        main = MainGraph(self.variables, self.assets.assets)
        self._nodes = [self._object(each) for each in self._objects]
        self._add_functions()
        defs = self._add_signatures(main, signatures)
        defs[INITIALIZER] = main.initializer()
        saver = main.saver()
        graph = GraphDef(
            node=main.nodes,
            library=FunctionDefLibrary(function=list(self._functions.values())),
            versions=VersionDef(producer=PRODUCER, min_consumer=MIN_CONSUMER),
        )
        return MetaGraphDef(
            meta_info_def=MetaInfoDef(tags=[SERVE], tensorflow_version=TENSORFLOW),
            graph_def=graph,
            saver_def=saver,
            signature_def=defs,
            asset_file_def=[
                AssetFileDef(tensor_info=TensorInfo(name=tensor), filename=name)
                for tensor, name in zip(main.asset_paths, self.assets.names)
            ],
            object_graph_def=SavedObjectGraph(nodes=self._nodes, concrete_functions=self._traces),
        )

    def trackable_graph(self) -> TrackableObjectGraph:
        """Return the objects of the checkpoint."""
        return TrackableObjectGraph(nodes=[_trackable(each) for each in self._objects])

    def _object(self, node: ObjectNode) -> SavedObject:
        children = _references(node.children)
        if node.asset is not None:
            number = self.assets.assets.index(node.asset)
            return SavedObject(asset=SavedAsset(asset_file_def_index=number))
        if node.variable is None:
            user = SavedUserObject(identifier=_IDENTIFIERS[node.kind], version=_OBJECT_VERSION)
            return SavedObject(children=children, user_object=user)
        return SavedObject(variable=_saved_variable(node.variable))

    # -- functions ---------------------------------------------------------------------------------

    def _add_functions(self) -> None:
        for place, node in enumerate(self._objects):
            for name, function in node.functions.items():
                self._add_child(place, name, self._function(function))

    def _function(self, function: TracedFunction) -> SavedObject:
        names = [self._trace_of(function, each) for each in function.traces]
        spec = FunctionSpec(
            fullargspec=full_argument_spec(function.parameters),
            input_signature=structured_value(None),
        )
        return SavedObject(function=SavedFunction(concrete_functions=names, function_spec=spec))

    def _trace_of(self, function: TracedFunction, trace: FunctionTrace) -> str:
        """Add a trace to the library; return the name of its function."""
        inputs = input_names(function.parameters, trace)
        called = self._lowered(function.name, trace.graph, inputs, trace.outputs)
        specs, outputs = iter(map(_named, trace.specs, inputs)), trace.graph.outputs
        given = mapped(
            trace.given, lambda each: next(specs) if isinstance(each, TensorSpec) else each
        )
        result = mapped(trace.result, lambda each: None if each is None else outputs[each].spec)
        self._trace(called, given, result)
        return called.name

    def _lowered(
        self, name: str, graph: Any, inputs: Sequence[str], outputs: Sequence[int]
    ) -> LibraryFunction:
        numbered = list(zip(inputs, range(len(inputs))))
        return library_function(name, graph, self._functions, numbered, outputs, self._target)

    def _trace(self, called: LibraryFunction, given: Any, result: Any) -> None:
        self._traces[called.name] = SavedConcreteFunction(
            bound_inputs=[self._place(each) for each in called.captured],
            canonicalized_input_signature=structured_value(given),
            output_signature=structured_value(result),
        )

    def _place(self, held: Any) -> int:
        place = self._places.get(id(held))
        if place is not None:
            return place
        if isinstance(held, Variable):
            raise GraphError(
                f"the variable {held.name!r} is used by a function, and no attribute of the object "
                "that is saved leads to it: set it as an attribute"
            )
        asset = asset_of(held)
        if asset is not None:
            raise GraphError(
                f"the asset {asset.path!r} is used by a function, and no attribute of the object "
                "that is saved leads to it: set it as an attribute"
            )
        raise GraphError(f"a function uses a {type(held).__name__}, which no file can hold")

    # -- signatures --------------------------------------------------------------------------------

    def _add_signatures(
        self, main: MainGraph, signatures: Mapping[str, Signature]
    ) -> dict[str, SignatureDef]:
        place = len(self._nodes)
        user = SavedUserObject(identifier="signature_map", version=_OBJECT_VERSION)
        self._add_child(0, "signatures", SavedObject(user_object=user))
        return {
            name: self._add_signature(main, place, name, each) for name, each in signatures.items()
        }

    def _add_signature(
        self, main: MainGraph, place: int, name: str, named: Signature
    ) -> SignatureDef:
        order = sorted(range(len(named.inputs)), key=lambda at: named.inputs[at])
        inputs, outputs = [named.inputs[at] for at in order], sorted(named.outputs)
        graph = named.trace.graph
        called = library_function(
            f"signature_wrapper_{name}",
            graph,
            self._functions,
            list(zip(inputs, order)),
            [named.outputs[key] for key in outputs],
            self._target,
        )
        specs = {key: _named(named.trace.specs[at], key) for key, at in zip(inputs, order)}
        results = {key: _named(graph.outputs[named.outputs[key]].spec, key) for key in outputs}
        self._trace(called, ((), specs), results)
        bare = SavedBareConcreteFunction(
            concrete_function_name=called.name,
            argument_keywords=inputs,
            allowed_positional_arguments=min(len(inputs), 1),
        )
        self._add_child(place, name, SavedObject(bare_concrete_function=bare))
        return main.add_signature(name, inputs, called, outputs)

    def _add_child(self, parent: int, name: str, child: SavedObject) -> None:
        reference = ObjectReference(node_id=len(self._nodes), local_name=name)
        self._nodes.append(child)
        node = self._nodes[parent]
        self._nodes[parent] = node.with_values(children=[*node.children, reference])


def _saved_variable(variable: Variable) -> SavedVariable:
    return SavedVariable(
        dtype=number_of(variable.dtype),
        shape=shape_proto(variable.shape),
        trainable=variable.trainable,
        name=variable.name.partition(":")[0],
    )


def _references(children: Mapping[str, int]) -> list[ObjectReference]:
    return [ObjectReference(node_id=each, local_name=name) for name, each in children.items()]


def _trackable(node: ObjectNode) -> TrackableObject:
    if node.variable is None:
        return TrackableObject(children=_references(node.children))
    value = SerializedTensor(
        name=VALUE, full_name=node.variable.name.partition(":")[0], checkpoint_key=node.key
    )
    return TrackableObject(attributes=[value], has_checkpoint_values=BoolValue(value=True))


def _named(spec: TensorSpec, name: str) -> TensorSpec:
    return TensorSpec(spec.shape, spec.dtype, name)
