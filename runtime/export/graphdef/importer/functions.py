"""The library of a GraphDef as graphs: one for each function and each form of its arguments.

    PartitionedCall(x) {f: "double_12"}    ->    %double = function_call(%x) {callee=double_12}

A function that a call node names becomes a graph of its own, which all calls with the same dtypes,
shapes and variables share. The functions of branches and loops become regions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from runtime.core.context import current_recorder
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.errors import (
    DataLossError,
    DTypeError,
    GraphError,
    ResourceExhaustedError,
    UnimplementedError,
)
from runtime.export.graphdef.data_types import RESOURCE
from runtime.export.graphdef.importer.attributes import NodeAttributes, dtype_of
from runtime.export.graphdef.importer.body import (
    BodyImport,
    needed_nodes,
    nodes_by_name,
    source_of,
)
from runtime.export.graphdef.importer.rules import RULES
from runtime.export.graphdef.importer.rules.files import FILE_OPS
from runtime.export.graphdef.importer.static_values import StaticValues
from runtime.export.graphdef.importer.unsupported import UNSUPPORTED
from runtime.export.graphdef.messages import FunctionDef, FunctionDefLibrary, NodeDef
from runtime.export.graphdef.tf_ops import STATEFUL
from runtime.graph.callee import CalledGraph
from runtime.graph.capture import Outer
from runtime.graph.function_calls import as_called_graph, record_function_call
from runtime.graph.graph import Graph
from runtime.graph.verify import verify
from runtime.ops.op import REGISTRY
from runtime.serialization.files import FilesAllowed

# A node is recorded again for each branch or loop that has its function; a small file describes no
# huge graph.
_MOST_REPEATED, _MOST_REPEATED_EACH = 10_000, 10
_MOST_NESTING = 40


class FunctionGraph(NamedTuple):
    """A function of the library as a graph.

    Attributes:
        graph: the graph; its parameters are the arguments that are tensors.
        results: for each result the index among the graph's outputs, or the variable that it is.
    """

    graph: Graph
    results: tuple[Any, ...]


class LibraryGraphs:
    """The functions of a library as graphs, which are made when they are needed.

    Args:
        library: the library of a GraphDef.
        variables: the variables by the shared names of their handles.
        allowed: the files that nodes may open; by default any, for callers that check the graphs.

    Example:
        >>> import autograph.runtime as rt
        >>> from runtime.export.graphdef.importer import function_graphs
        >>> from runtime.export.graphdef.messages import ArgDef, OpDef
        >>> node = NodeDef(name="y", op="Neg", input=["x"])
        >>> signature = OpDef(
        ...     name="f", input_arg=[ArgDef(name="x", type=1)],
        ...     output_arg=[ArgDef(name="z", type=1)],
        ... )
        >>> function = FunctionDef(signature=signature, node_def=[node], ret={"z": "y:y:0"})
        >>> functions = function_graphs(FunctionDefLibrary(function=[function]))
        >>> print(functions.graph("f", [rt.TensorSpec((2,), rt.float32)]).graph.as_text(), end="")
        graph f(%x: float32[2]) {
          %y = negative(%x) : float32[2]
          return %y
        }
    """

    def __init__(
        self,
        library: FunctionDefLibrary,
        variables: Mapping[str, Any] | None = None,
        allowed: FilesAllowed | None = None,
    ) -> None:
        self._allowed = allowed or FilesAllowed(True)
        self.variables: Mapping[str, Any] = dict(variables or {})
        self.static = StaticValues()
        self._functions: dict[str, FunctionDef] = {}
        for function in library.function:
            if function.signature.name in self._functions:
                raise DataLossError(f"two functions are called {function.signature.name!r}")
            self._functions[function.signature.name] = function
        self._nodes: dict[str, dict[str, NodeDef]] = {}
        self._graphs: dict[Any, tuple[FunctionGraph, CalledGraph]] = {}
        self._active: list[str] = []
        self._recorded: set[int] = set()
        self._repeated = 0
        self._checked: set[str] = set()

    # -- functions ---------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """Return the names of all functions."""
        return list(self._functions)

    def function(self, name: str) -> FunctionDef:
        """Return a function; DataLossError if there is none of this name."""
        found = self._functions.get(name)
        if found is None:
            raise DataLossError(f"there is no function {name!r} in the library")
        return found

    def graph(self, name: str, arguments: Sequence[Any]) -> FunctionGraph:
        """Return the graph of a function for some arguments.

        Args:
            name: the name of the function.
            arguments: for each parameter a TensorSpec, or a Variable for the handle of one.

        Raises:
            DataLossError: there is no such function, or it is damaged.
            DTypeError: an argument has another dtype than the parameter.
            UnimplementedError: it has ops that do not exist here; the message lists all of them.
        """
        self.check_ops([name])
        return self._made(name, arguments)[0]

    def called(self, name: str, values: Sequence[Outer]) -> list[Any]:
        """Record a call of a function in the current graph, and return its results."""
        arguments = [x.spec if isinstance(x, Tensor) else x for x in values]
        found, callee = self._made(name, arguments)
        tensors = [x for x in values if isinstance(x, Tensor)]
        outputs = record_function_call(callee, tensors)
        return [outputs[each] if type(each) is int else each for each in found.results]

    def _made(self, name: str, arguments: Sequence[Any]) -> tuple[FunctionGraph, CalledGraph]:
        parts = [
            (each.dtype.name, each.shape.dims) if isinstance(each, TensorSpec) else id(each)
            for each in arguments
        ]
        key = (name, *parts)
        if key not in self._graphs:
            found = self._traced(name, arguments)
            self._graphs[key] = found, as_called_graph(found.graph)
        return self._graphs[key]

    def _traced(self, name: str, arguments: Sequence[Any]) -> FunctionGraph:
        signature = self.function(name).signature
        graph = Graph(name)
        graph.is_self_contained = True
        _check_count(name, signature.input_arg, arguments)
        values = [
            graph.add_input(each, parameter.name) if isinstance(each, TensorSpec) else each
            for parameter, each in zip(signature.input_arg, arguments)
        ]
        with graph.recording():
            found = self.recorded(name, values)
        tensors = [value for value in found if isinstance(value, Tensor)]
        graph.set_outputs(tensors)
        places = iter(range(len(tensors)))
        results = [next(places) if isinstance(value, Tensor) else value for value in found]
        return FunctionGraph(verify(graph), tuple(results))

    def recorded(self, name: str, values: Sequence[Any]) -> list[Any]:
        """Record the nodes of a function in the current graph, and return its results.

        Args:
            name: the name of the function.
            values: the arguments: tensors, and variables in place of their handles.
        """
        function = self.function(name)
        signature = function.signature
        _check_count(name, signature.input_arg, values)
        given: dict[tuple[str, int], Any] = {}
        for parameter, value in zip(signature.input_arg, values):
            _check_kind(name, parameter, value)
            given[parameter.name, 0] = value
        graph = current_recorder()
        assert isinstance(graph, Graph)
        with self._entered(name):
            body = BodyImport(self._nodes_of(name), self, graph, given, is_function=True)
            for node in needed_nodes(body.nodes, self._roots(function), given):
                body.record(node)
            found = [
                body.value(self._returned(function, each.name)) for each in signature.output_arg
            ]
        for result, value in zip(signature.output_arg, found):
            _check_kind(name, result, value)
        return found

    def returned_parameter(self, name: str, position: int) -> str | None:
        """Return the parameter that a function returns unchanged as a result, if it is one."""
        function = self.function(name)
        nodes, results = self._nodes_of(name), function.signature.output_arg
        text = self._returned(function, results[position].name) if position < len(results) else ""
        while (node := nodes.get(source_of(text))) is not None and node.op == "Identity":
            text = node.input[0] if node.input else ""
        return None if ":" in text or text in nodes else text

    @contextmanager
    def _entered(self, name: str) -> Iterator[None]:
        if name in self._active:
            raise UnimplementedError(f"the function {name!r} calls itself")
        if len(self._active) >= _MOST_NESTING:
            raise UnimplementedError(f"functions call each other {_MOST_NESTING} levels deep")
        self._active.append(name)
        try:
            yield
        finally:
            self._active.pop()

    def _nodes_of(self, name: str) -> dict[str, NodeDef]:
        found = self._nodes.get(name)
        if found is None:
            function = self.function(name)
            found = self._nodes[name] = nodes_by_name(function.node_def)
            for each in function.signature.input_arg:
                if each.name in found:
                    raise DataLossError(f"a parameter and a node are called {each.name!r}")
        return found

    def _returned(self, function: FunctionDef, name: str) -> str:
        found = function.ret.get(name)
        if found is None:
            raise DataLossError(f"{function.signature.name!r} has no value for its result {name!r}")
        return str(found)

    def _roots(self, function: FunctionDef) -> list[str]:
        """Return the nodes that must run: those of the results, and those with effects."""
        nodes = self._nodes_of(function.signature.name)
        parameters = {each.name for each in function.signature.input_arg}
        texts = [self._returned(function, each.name) for each in function.signature.output_arg]
        texts += function.control_ret.values()
        texts += [node.name for node in nodes.values() if node.op in STATEFUL | _MORE_STATEFUL]
        for text in texts:
            if source_of(text) not in nodes and source_of(text) not in parameters:
                raise DataLossError(
                    f"{function.signature.name!r} returns {text!r}, which does not exist"
                )
        return [name for name in map(source_of, texts) if name in nodes]

    # -- checks ------------------------------------------------------------------------------------

    def count(self, node: NodeDef) -> None:
        """Count a node that is recorded; ResourceExhaustedError if there are too many."""
        self._repeated += id(node) in self._recorded
        self._recorded.add(id(node))
        most = _MOST_REPEATED + _MOST_REPEATED_EACH * len(self._recorded)
        if self._repeated > most:
            raise ResourceExhaustedError(
                f"the functions of the GraphDef make more than {most} nodes again"
            )

    def check_ops(self, names: Iterable[str], nodes: Iterable[NodeDef] = ()) -> None:
        """Raise UnimplementedError if nodes or functions need ops that cannot be imported.

        Raises:
            PermissionDeniedError: a node opens a file that is not allowed.

        Args:
            names: the names of functions.
            nodes: nodes of a graph.
        """
        unknown: Counter[str] = Counter()
        waiting = list(names)
        self._note(nodes, unknown, waiting)
        while waiting:
            name = waiting.pop()
            if name not in self._checked:
                self._checked.add(name)
                function = self.function(name)
                given = {(each.name, 0): None for each in function.signature.input_arg}
                needed = needed_nodes(self._nodes_of(name), self._roots(function), given)
                self._note(needed, unknown, waiting)
        if unknown:
            self._checked.clear()
            raise UnimplementedError(_refusal(unknown))

    def _note(self, nodes: Iterable[NodeDef], unknown: Counter[str], waiting: list[str]) -> None:
        for node in nodes:
            if node.op not in RULES:
                unknown[node.op] += 1
            if node.op in FILE_OPS:
                self._allowed.check(REGISTRY[FILE_OPS[node.op]], {}, f"node {node.name!r}")
            waiting += NodeAttributes(node).called()


# Ops that run even if no result is used, besides those that are exported.
_MORE_STATEFUL = frozenset(("TensorArrayWriteV3",))


def _refusal(unknown: Counter[str]) -> str:
    parts = [
        f"{op} ({count})" + (f": {UNSUPPORTED[op]}" if op in UNSUPPORTED else "")
        for op, count in sorted(unknown.items())
    ]
    return f"the GraphDef has ops that cannot be imported: {'; '.join(parts)}"


def _check_count(name: str, parameters: Sequence[Any], values: Sequence[Any]) -> None:
    if len(parameters) != len(values):
        raise DataLossError(f"{name!r} takes {len(parameters)} arguments, not {len(values)}")


def _check_kind(name: str, argument: Any, value: Any) -> None:
    """Raise DTypeError unless a value has the dtype of a parameter or result."""
    wanted = dtype_of(argument.type)
    found = value.dtype if isinstance(value, Tensor) else RESOURCE
    is_flow = isinstance(value, Tensor) and value.dtype.is_variant and argument.type == 1
    if found is not wanted and not is_flow:
        names = [str(each.as_datatype_enum) for each in (wanted, found)]
        raise DTypeError(f"{argument.name!r} of {name!r} must be {names[0]}, not {names[1]}")


def checked_graph(recorder: Any) -> Graph:
    """Return the graph that is recording; GraphError if there is none.

    >>> checked_graph(Graph("f")).name
    'f'
    """
    if not isinstance(recorder, Graph):
        raise GraphError("a GraphDef is imported into a graph: write `with graph.as_default():`")
    return recorder
