"""`import_graph_def`: the nodes of a GraphDef in the graph that is recording.

    node {name: "y" op: "Neg" input: "x"}    ->    %import/y = negative(%x)

`graph_between` returns the part between given feeds and fetches as a graph of its own, and
`function_graphs` the functions of a library.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from runtime.core.argument_checks import listed, plain_text, shown
from runtime.core.context import current_recorder
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    MissingNameError,
    UnimplementedError,
)
from runtime.export.graphdef.data_types import ResourceType
from runtime.export.graphdef.importer.attributes import NodeAttributes
from runtime.export.graphdef.importer.body import (
    BodyImport,
    TensorName,
    needed_nodes,
    nodes_by_name,
)
from runtime.export.graphdef.importer.functions import LibraryGraphs, checked_graph
from runtime.export.graphdef.importer.rules import RULES
from runtime.export.graphdef.messages import FunctionDefLibrary, GraphDef, NodeDef
from runtime.export.graphdef.tf_ops import STATEFUL
from runtime.graph.capture import StateHandle
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.graph.verify import verify
from runtime.ops.convert import to_tensor
from runtime.serialization.files import AllowFiles, FilesAllowed

_DEEP = "the functions of the GraphDef are nested too deeply"


def import_graph_def(
    graph_def: Any,
    input_map: Mapping[str, Any] | None = None,
    return_elements: Sequence[str] | None = None,
    name: str | None = None,
    op_dict: None = None,
    producer_op_list: None = None,
    *,
    allow_files: AllowFiles = False,
) -> list[Any] | None:
    """Record the nodes of a GraphDef in the current graph.

    Args:
        graph_def: a GraphDef, also TensorFlow's or TensorBoard's, or its bytes.
        input_map: values for results of nodes, such as `{"x:0": tensor}`; a Variable for a handle.
        return_elements: the names of tensors such as `"y:0"`, or of nodes such as `"y"`.
        name: the prefix of the names of the nodes, `"import"` by default; `""` for none.
        op_dict, producer_op_list: accepted as None.
        allow_files: whether nodes may open files when they run, as in `ag.saved_model.load`.

    Returns:
        The tensors and nodes of `return_elements`, or None without it.

    Raises:
        DataLossError: the GraphDef is damaged.
        GraphError: no graph is recording.
        UnimplementedError: it has ops that do not exist here; the message lists all of them.
        PermissionDeniedError: it opens files, and `allow_files` is not True.
        ArgumentValueError: a name of `input_map` occurs nowhere, or an argument is not valid.
        MissingNameError: a name of `return_elements` does not exist.

    Example:
        >>> import autograph.runtime as rt
        >>> first = rt.Graph("first")
        >>> x = first.add_input(rt.TensorSpec((), rt.float32), "x")
        >>> with first.recording():
        ...     first.set_outputs([x * 2.0 + 1.0])
        >>> graph = rt.Graph("second")
        >>> y = graph.add_input(rt.TensorSpec((), rt.float32), "y")
        >>> with graph.recording():
        ...     found = import_graph_def(first.as_graph_def(), {"x:0": y}, ["Identity:0"], "")
        >>> graph.set_outputs(found)
        >>> print(graph.as_text(), end="")
        graph second(%y: float32) {
          %Const = constant() {value=2.0: float32} : float32
          %Mul = multiply(%y, %Const) : float32
          %Const_1 = constant() {value=1.0: float32} : float32
          %AddV2 = add(%Mul, %Const_1) : float32
          return %AddV2
        }
    """
    if op_dict is not None or producer_op_list is not None:
        raise ArgumentValueError("op_dict and producer_op_list must be None: leave them out")
    message, graph = as_graph_def(graph_def), checked_graph(current_recorder())
    wanted = None if return_elements is None else listed(return_elements, "return_elements")
    prefix = plain_text("import" if name is None else name, "name").rstrip("/")
    if prefix:
        prefix = f"{graph.fresh_scope(prefix)}/"
    functions = LibraryGraphs(message.library, allowed=FilesAllowed(allow_files))
    found = _Import(message, graph, input_map or {}, functions, prefix)
    found.run(wanted)
    return None if wanted is None else [found.element(each) for each in wanted]


def graph_between(
    graph_def: Any,
    feeds: Mapping[str, Any],
    fetches: Sequence[str],
    variables: Mapping[str, Any] | None = None,
    name: str = "graph",
) -> Graph:
    """Return the part of a GraphDef between feeds and fetches as a graph.

    Args:
        graph_def: a GraphDef, also TensorFlow's or TensorBoard's, or its bytes.
        feeds: for results of nodes, such as `"x:0"`, a TensorSpec, which becomes a parameter, or a
            value, or a Variable.
        fetches: the names of results, such as `"y:0"`, or of nodes that run for their effects.
        variables: the variables by the shared names of their handles.
        name: the name of the graph.

    Raises:
        DataLossError: the GraphDef is damaged.
        UnimplementedError: it has ops that do not exist here; the message lists all of them.
        ArgumentValueError, MissingNameError: a feed or a fetch does not exist.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.float32), "x")
        >>> with graph.recording():
        ...     graph.set_outputs([-x])
        >>> spec = rt.TensorSpec((), rt.float32)
        >>> print(graph_between(graph.as_graph_def(), {"x:0": spec}, ["Neg:0"]).as_text(), end="")
        graph graph(%x: float32) {
          %Neg = negative(%x) : float32
          return %Neg
        }
    """
    graph, given = Graph(name), {}
    graph.is_self_contained = True
    for key, value in feeds.items():
        is_spec = isinstance(value, TensorSpec)
        given[key] = graph.add_input(value, tensor_name_of(key)[0]) if is_spec else value
    with graph.recording():
        message = as_graph_def(graph_def)
        found = _Import(message, graph, given, LibraryGraphs(message.library, variables), "")
        found.run(fetches, only_wanted=True)
    graph.set_outputs(found.element(each) for each in fetches if ":" in each)
    return verify(graph)


def function_graphs(
    library: FunctionDefLibrary | GraphDef, variables: Mapping[str, Any] | None = None
) -> LibraryGraphs:
    """Return the functions of a library as graphs, which are made when they are needed.

    Args:
        library: the library, or a GraphDef that has it.
        variables: the variables by the shared names of their handles.

    Raises:
        DataLossError: two functions have one name.

    >>> function_graphs(FunctionDefLibrary()).names()
    []
    """
    found = library.library if isinstance(library, GraphDef) else library
    return LibraryGraphs(found, variables)


def as_graph_def(value: Any) -> GraphDef:
    """Return a GraphDef, another project's message, or bytes as a GraphDef.

    Raises:
        DataLossError: the bytes are damaged.
        DTypeError: it is none of these.

    >>> as_graph_def(b"").node
    []
    """
    if isinstance(value, GraphDef):
        return value
    if not isinstance(value, (bytes, bytearray, memoryview)):
        encode = getattr(value, "SerializeToString", None)
        if encode is None:
            raise DTypeError(f"a GraphDef or its bytes are expected, not {shown(value)}")
        value = encode()
    return GraphDef.FromString(bytes(value))


def tensor_name_of(text: str) -> TensorName:
    """Return the node and the index of a result that a name means.

    >>> tensor_name_of("x:1"), tensor_name_of("x")
    (('x', 1), ('x', 0))
    """
    name, colon, index = plain_text(text, "the name of a tensor").partition(":")
    if colon and not index.isdecimal():
        raise ArgumentValueError(f"{text!r} names no tensor: write 'node:0'")
    return name, int(index or 0)


class _Import:
    """The import of a GraphDef into a graph.

    Args:
        message: the GraphDef.
        graph: the graph that is recording.
        given: values for results of nodes.
        functions: its library.
        prefix: the prefix of the names of the nodes.
    """

    def __init__(
        self,
        message: GraphDef,
        graph: Graph,
        given: Mapping[str, Any],
        functions: LibraryGraphs,
        prefix: str,
    ) -> None:
        self._graph = graph
        self._prefix = prefix
        self._made: dict[str, list[Node]] = {}
        self._nodes = nodes_by_name(message.node)
        self._given = {tensor_name_of(key): _value(value) for key, value in given.items()}
        self._check_given()
        self._functions = functions
        self._body = BodyImport(
            self._nodes, self._functions, graph, self._given, is_function=False, prefix=prefix
        )

    def run(self, wanted: Sequence[str] | None, only_wanted: bool = False) -> None:
        """Record the nodes: those that are wanted, and all others that can be recorded.

        Args:
            wanted: the names of results and nodes; None for all nodes.
            only_wanted: whether to leave out all nodes that these do not need.
        """
        roots = self._roots(wanted, only_wanted)
        try:
            needed = needed_nodes(self._nodes, roots, self._given)
            rest = () if only_wanted or wanted is None else self._others(needed)
            self._functions.check_ops((), (*needed, *rest))
            for node in (*needed, *rest):
                self._record(node)
        except RecursionError:
            raise UnimplementedError(_DEEP) from None

    def element(self, text: str) -> Any:
        """Return a tensor, or the node that has the name."""
        place = tensor_name_of(text)
        found = self._body.results(place[0])
        if place in self._given:
            found = [*found, *[None] * (place[1] + 1)]
            found[place[1]] = self._given[place]
        if place[1] >= len(found):
            raise MissingNameError(f"{text!r} is not a result of the GraphDef")
        value = found[place[1]]
        return value if ":" in text or not isinstance(value, SymbolicTensor) else value.node

    def _roots(self, wanted: Sequence[str] | None, only_wanted: bool) -> list[str]:
        if wanted is None:
            return list(self._nodes)
        names = [
            tensor_name_of(text)[0] for text in wanted if tensor_name_of(text) not in self._given
        ]
        for name in names:
            if name not in self._nodes:
                raise MissingNameError(f"there is no node {name!r} in the GraphDef")
        effects = [] if only_wanted else self._effects()
        return [*names, *effects]

    def _effects(self) -> Iterable[str]:
        """Yield the nodes that run in a function even if no result needs them."""
        if self._graph.runs_by_fetches:
            return []
        return [node.name for node in self._nodes.values() if node.op in STATEFUL]

    def _others(self, needed: Sequence[NodeDef]) -> list[NodeDef]:
        """Return the other nodes that can be recorded: programs look them up by name."""
        known = {node.name for node in needed}
        found: list[NodeDef] = []
        for node in needed_nodes(self._nodes, self._nodes, self._given):
            sources = {text.removeprefix("^").partition(":")[0] for text in node.input}
            sources -= {name for name, _ in self._given}
            can = node.op in RULES and node.op != "Placeholder" and sources <= known
            if node.name not in known and can and not list(NodeAttributes(node).called()):
                known.add(node.name)
                found.append(node)
        return found

    def _check_given(self) -> None:
        """Raise ArgumentValueError if a value is given for something that does not exist."""
        used = {tensor_name_of(text) for node in self._nodes.values() for text in node.input
                if not text.startswith("^")}  # fmt: skip
        unknown = [f"{name}:{at}" for name, at in self._given if (name, at) not in used
                   and name not in self._nodes]  # fmt: skip
        if unknown:
            raise ArgumentValueError(f"values are given for {', '.join(unknown)}, in no node")

    def _record(self, node: NodeDef) -> None:
        if (node.name, 0) in self._given:
            return
        if node.op == "Placeholder" and self._graph.runs_by_fetches:
            self._add_placeholder(node)
            return
        start = len(self._graph.nodes)
        self._body.record(node)
        if self._graph.runs_by_fetches:
            self._require(node, self._graph.nodes[start:])

    def _require(self, node: NodeDef, made: Sequence[Node]) -> None:
        """Let the nodes of control inputs run whenever a node does, in a session."""
        names = [text.removeprefix("^") for text in node.input if text.startswith("^")]
        earlier = [each for name in names for each in self._made.get(name, ())]
        for each in made:
            each.requires = (*each.requires, *earlier)
        self._made[node.name] = list(made) or earlier

    def _add_placeholder(self, node: NodeDef) -> None:
        """Add a parameter that a session feeds."""
        attrs = NodeAttributes(node)
        kind = attrs.kind("dtype")
        if isinstance(kind, ResourceType):
            raise UnimplementedError(
                f"node {node.name!r} (Placeholder): give a Variable in input_map"
            )
        spec = TensorSpec(attrs.shape("shape"), kind)
        self._body.give(node.name, self._graph.add_input(spec, self._prefix + node.name))


def _value(value: Any) -> Any:
    """Return a given value as a tensor; a variable as it is."""
    if isinstance(value, (Tensor, StateHandle)):
        return value
    return to_tensor(value)
