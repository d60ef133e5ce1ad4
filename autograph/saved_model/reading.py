"""Reads SavedModels: those of this project, and those that TensorFlow wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import Parameter
from typing import Any

from autograph.saved_model.archive_reading import attribute_name, function_name, objects_of
from autograph.saved_model.restored import (
    RestoredFunction,
    RestoredObject,
    SignatureFunction,
    checked,
)
from autograph.saved_model.session_graphs import SessionGraph, signature_function
from runtime import nest
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.errors import PermissionDeniedError, UnimplementedError
from runtime.export.graphdef.attribute_values import shape_of_proto
from runtime.export.graphdef.importer.attributes import stored_array
from runtime.export.graphdef.importer.functions import LibraryGraphs
from runtime.export.graphdef.importer.rules.tables import KeyTable, created_table
from runtime.export.saved_model.messages import SavedConcreteFunction, SavedObject, SavedVariable
from runtime.export.saved_model.reader import SavedModelFiles
from runtime.export.saved_model.structured_values import structured_of
from runtime.export.traces import FunctionTrace
from runtime.graph.graph import Graph
from runtime.graph.verify import verify
from runtime.ops.arrays.shape import broadcast_to
from runtime.ops.constant import constant
from runtime.serialization.files import FilesAllowed
from runtime.serialization.typed_fields import at, typed
from runtime.state.asset import Asset
from runtime.state.tables import ChangingTable
from runtime.state.variable import Variable
from runtime.train import archive

_KINDS = {
    "trackable_list_wrapper": "list",
    "trackable_tuple_wrapper": "tuple",
    "trackable_dict_wrapper": "dict",
    "signature_map": "dict",
}
_SIGNATURES = "signatures"
# The functions of a table that make it, and fill it.
_MAKE, _FILL = "_create_resource", "_initialize"
_MOST_OBJECTS = 1_000_000
# The kinds of objects that attributes of a loaded object are; functions are set later.
_PARTS = ("user_object", "variable", "asset")


def read_saved_model(path: str, tags: Iterable[str] | None, allowed: FilesAllowed) -> Any:
    """Return the object of a SavedModel.

    Args:
        path: the directory.
        tags: the tags of its graph; None for those of a server.
        allowed: the files that functions may open.

    Raises:
        ArgumentValueError: there is no graph with these tags.
        DataLossError: a file is damaged, or its contents are invalid.
        UnimplementedError: functions have ops that are not known here; the error lists them.
        PermissionDeniedError: a function opens a file that is not allowed.
    """
    files = SavedModelFiles(path, tags)
    others = (PermissionDeniedError, UnimplementedError)
    with archive.intact(f"the SavedModel '{path}' is damaged", others):
        if not files.meta.object_graph_def.nodes:
            return SessionGraph(files, allowed).root()
        return _SavedModelLoader(files, allowed).root()


class _SavedModelLoader:
    """The objects of a SavedModel under construction."""

    def __init__(self, files: SavedModelFiles, allowed: FilesAllowed) -> None:
        self._files, self._allowed = files, allowed
        self._graph = files.meta.object_graph_def
        self._nodes: Sequence[SavedObject] = self._graph.nodes
        self._functions = LibraryGraphs(files.meta.graph_def.library)
        self._constants = {node.name: node for node in files.meta.graph_def.node}
        self._keys = files.keys()
        self._check_ops()
        self._tables = {place: self._created_table(each) for place, each in self._resources()}
        self._filled = set[int]()
        data = [self._data(place, node) for place, node in enumerate(self._nodes)]
        self._objects = objects_of(data, self._leaf)

    def _check_ops(self) -> None:
        """Refuse ops that are not known, in all functions that the objects have."""
        self._functions.check_ops(list(self._graph.concrete_functions))

    def root(self) -> Any:
        """Return the saved object, with its functions and signatures."""
        for place, node in enumerate(self._nodes):
            held = self._objects[place]
            if isinstance(held, RestoredObject) and node.HasField("user_object"):
                for name, child in self._functions_of(node):
                    vars(held)[function_name(name)] = self._function(name, child)
        root = self._objects[0]
        if isinstance(root, RestoredObject):
            root.signatures = dict(self._signatures())
        return root

    # -- objects -----------------------------------------------------------------------------------

    def _data(self, place: int, node: SavedObject) -> dict[str, Any]:
        """Return an object as `objects_of` takes it."""
        if node.HasField("variable"):
            return {"kind": "variable", "place": place}
        if node.HasField("asset"):
            return {"kind": "asset", "place": place}
        if isinstance(self._tables.get(place), ChangingTable):
            return {"kind": "table", "place": place}
        kind = _KINDS.get(node.user_object.identifier, "object")
        parts = {
            each.local_name: each.node_id
            for each in node.children
            if self._is_part(each.local_name, each.node_id)
        }
        if kind in ("list", "tuple"):
            parts = {name: parts[name] for name in sorted(parts, key=_position)}
        return {"kind": kind, "parts": parts}

    def _is_part(self, name: str, place: int) -> bool:
        child = at(self._nodes, place, "an object")
        is_object = any(child.HasField(kind) for kind in _PARTS)
        is_object |= isinstance(self._tables.get(place), ChangingTable)
        return is_object and name != _SIGNATURES and not name.startswith("__")

    def _leaf(self, data: Mapping[str, Any]) -> Variable | Asset | ChangingTable:
        place = data["place"]
        if data["kind"] == "table":
            return self._with_values(place, self._tables[place])
        if data["kind"] == "asset":
            return Asset(self._files.asset(self._nodes[place].asset.asset_file_def_index))
        return self._variable(place, self._nodes[place].variable)

    def _variable(self, place: int, message: SavedVariable) -> Variable:
        if place not in self._keys:
            raise ValueError(f"the variable {message.name!r} has no value in the checkpoint")
        value = self._files.array(self._keys[place])
        return Variable(
            value,
            trainable=message.trainable,
            name=message.name or None,
            shape=shape_of_proto(message.shape),
        )

    # -- functions ---------------------------------------------------------------------------------

    def _functions_of(self, node: SavedObject) -> Iterator[tuple[str, SavedObject]]:
        for each in node.children:
            child = at(self._nodes, each.node_id, "an object")
            if child.HasField("function"):
                yield each.local_name, child

    def _function(self, name: str, node: SavedObject) -> RestoredFunction:
        traces = [self._trace(each) for each in node.function.concrete_functions]
        parameters = list(_parameters(node.function.function_spec))
        return RestoredFunction(name, parameters, traces)

    def _trace(self, name: str) -> FunctionTrace:
        message: SavedConcreteFunction = self._graph.concrete_functions[name]
        args, kwargs = structured_of(message.canonicalized_input_signature)
        given = (
            typed(tuple, args, "the positional arguments"),
            typed(dict, kwargs, "the keyword arguments"),
        )
        bound = [self._bound(place) for place in message.bound_inputs]
        specs = [each for each in nest.flatten(given) if isinstance(each, TensorSpec)]
        graph = self._graph_of(name, specs, bound)
        self._allowed.check_graph(graph)
        result = _numbered(structured_of(message.output_signature))
        return checked(FunctionTrace(given, graph, result))

    def _graph_of(self, name: str, specs: Sequence[TensorSpec], bound: Sequence[Any]) -> Graph:
        graph = Graph(_shown_name(name))
        parameters = [graph.add_input(each, each.name or "arg") for each in specs]
        with graph.recording():
            found = self._functions.recorded(name, [*parameters, *bound])
        graph.set_outputs([each for each in found if isinstance(each, Tensor)])
        return verify(graph)

    def _bound(self, place: int) -> Any:
        """Return the value that a function uses from outside."""
        node = at(self._nodes, place, "an object")
        if node.HasField("variable"):
            return self._objects[place]
        if node.HasField("asset"):
            return self._objects[place].asset_path
        if node.HasField("constant"):
            found = self._constants[node.constant.operation]
            stored = stored_array(found.attr["value"].tensor)
            if len(stored.elements) == 1 and stored.sizes:  # One element may stand for many.
                return broadcast_to(constant(stored.elements), stored.sizes)
            return constant(stored.whole())
        if node.HasField("resource"):
            return self._table(place)
        raise UnimplementedError("a function uses a value that is not known here")

    # -- tables ------------------------------------------------------------------------------------

    def _resources(self) -> Iterator[tuple[int, SavedObject]]:
        return ((at, each) for at, each in enumerate(self._nodes) if each.HasField("resource"))

    def _function_of(self, node: SavedObject, wanted: str) -> str | None:
        """Return the name of the only trace of a function of an object, None if it has none."""
        for each in node.children:
            if each.local_name == wanted:
                child = at(self._nodes, each.node_id, "a function")
                (name,) = child.function.concrete_functions
                return str(name)
        return None

    def _created_table(self, node: SavedObject) -> KeyTable | ChangingTable | None:
        name = self._function_of(node, _MAKE)
        return None if name is None else created_table(self._functions.function(name))

    def _with_values(self, place: int, table: Any) -> ChangingTable:
        """Give a table that changes the keys and values that the checkpoint has."""
        made: ChangingTable = table
        if place in self._keys:
            key = self._keys[place]
            made.set_pairs(self._files.array(f"{key}-keys"), self._files.array(f"{key}-values"))
        return made

    def _table(self, place: int) -> KeyTable | ChangingTable:
        """Return a table; its own function fills one that never changes."""
        table = self._tables.get(place)
        if table is None:
            raise UnimplementedError("a function uses a resource that is not a table")
        fill = self._function_of(self._nodes[place], _FILL)
        if isinstance(table, KeyTable) and fill is not None and place not in self._filled:
            self._filled.add(place)
            bound = self._graph.concrete_functions[fill].bound_inputs
            with Graph("filled").recording():
                self._functions.recorded(fill, [self._bound(each) for each in bound])
        return table

    # -- signatures --------------------------------------------------------------------------------

    def _signatures(self) -> Iterator[tuple[str, SignatureFunction]]:
        for each in self._nodes[0].children:
            if each.local_name == _SIGNATURES:
                for child in at(self._nodes, each.node_id, "an object").children:
                    node = at(self._nodes, child.node_id, "a signature")
                    yield child.local_name, self._signature(node)

    def _signature(self, node: SavedObject) -> SignatureFunction:
        name = node.bare_concrete_function.concrete_function_name
        return signature_function(_shown_name(name), self._trace(name))


def _position(name: str) -> int:
    return int(name) if name.isdecimal() and len(name) < 10 else 0


def _shown_name(name: str) -> str:
    """Return the user's name of a function of the library.

    >>> _shown_name("__inference_collatz_27")
    'collatz'
    """
    return name.removeprefix("__inference_").rstrip("0123456789").rstrip("_") or "f"


def _numbered(result: Any) -> Any:
    """Return the structure of a result with numbers in the place of its tensors."""
    leaves = nest.flatten(result)
    if not all(each is None or isinstance(each, TensorSpec) for each in leaves):
        raise ValueError("a result has a part that is not a tensor")
    numbers = iter(range(len(leaves)))
    found = [None if each is None else next(numbers) for each in leaves]
    return nest.unflatten(result, found)


def _parameters(spec: Any) -> Iterator[Parameter]:
    """Yield the parameters of a function; any ones, if the file does not name them."""
    if not spec.HasField("fullargspec"):
        yield Parameter("args", Parameter.VAR_POSITIONAL)
        yield Parameter("kwargs", Parameter.VAR_KEYWORD)
        return
    named = structured_of(spec.fullargspec)._asdict()
    names = named["args"][1:] if spec.is_method else named["args"]
    defaults = named["defaults"] or ()
    missing = [Parameter.empty] * (len(names) - len(defaults))
    for name, default in zip(names, [*missing, *defaults]):
        yield Parameter(attribute_name(name), Parameter.POSITIONAL_OR_KEYWORD, default=default)
    if named["varargs"]:
        yield Parameter(attribute_name(named["varargs"]), Parameter.VAR_POSITIONAL)
    for name in named["kwonlyargs"]:
        default = (named["kwonlydefaults"] or {}).get(name, Parameter.empty)
        yield Parameter(attribute_name(name), Parameter.KEYWORD_ONLY, default=default)
    if named["varkw"]:
        yield Parameter(attribute_name(named["varkw"]), Parameter.VAR_KEYWORD)
