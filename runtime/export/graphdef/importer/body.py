"""`BodyImport`: the nodes of a GraphDef or library function, recorded in a graph in their order.

An input is named `node:1` or `node` in a graph, and `node:output:0` in a function, after the
argument of the op. `^node` only waits for a node.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from runtime.core.dtypes import BY_NAME
from runtime.core.tensor import Tensor
from runtime.errors import DataLossError, OpError
from runtime.export.graphdef.data_types import RESOURCE
from runtime.export.graphdef.importer.attributes import IGNORED, Kind, NodeAttributes
from runtime.export.graphdef.importer.node_import import ImportedLibrary, NodeImport
from runtime.export.graphdef.importer.rules import RULES
from runtime.export.graphdef.importer.signatures import SIGNATURES
from runtime.export.graphdef.importer.static_values import StaticValues
from runtime.export.graphdef.messages import NodeDef
from runtime.export.graphdef.tf_ops import OpArgument
from runtime.graph.capture import Outer
from runtime.graph.graph import Graph

TensorName = tuple[str, int]
"""The name of a node, or of a parameter, and the index of a result."""

# Errors of Python that a damaged attribute may cause in a rule.
_DAMAGE = (ArithmeticError, AssertionError, LookupError, TypeError, ValueError, MemoryError)


def nodes_by_name(nodes: Iterable[NodeDef]) -> dict[str, NodeDef]:
    """Return nodes by name; DataLossError if two have one name.

    >>> list(nodes_by_name([NodeDef(name="x"), NodeDef(name="y")]))
    ['x', 'y']
    """
    found: dict[str, NodeDef] = {}
    for node in nodes:
        if node.name in found:
            raise DataLossError(f"two nodes have the name {node.name!r}")
        found[node.name] = node
    return found


def source_of(text: str) -> str:
    """Return the name of the node that an input comes from.

    >>> source_of("x:output:0"), source_of("^y")
    ('x', 'y')
    """
    return text.removeprefix("^").partition(":")[0]


def needed_nodes(
    nodes: Mapping[str, NodeDef], roots: Iterable[str], given: Mapping[TensorName, Any]
) -> list[NodeDef]:
    """Return the nodes that roots depend on, each after its inputs, else in the order of the file.

    Args:
        nodes: all nodes by name.
        roots: the names of nodes.
        given: the values that are given; the nodes behind them are not needed.

    Raises:
        DataLossError: an input does not exist, or nodes depend on each other.

    >>> nodes = nodes_by_name([NodeDef(name="y", input=["x"]), NodeDef(name="x")])
    >>> [node.name for node in needed_nodes(nodes, ["y"], {})]
    ['x', 'y']
    """
    waiting = list(roots)
    sources: dict[str, set[str]] = {}
    while waiting:
        name = waiting.pop()
        if name in sources:
            continue
        sources[name] = set(_sources(nodes, nodes[name], given))
        waiting += sources[name]
    return _sorted(nodes, sources)


def _sources(
    nodes: Mapping[str, NodeDef], node: NodeDef, given: Mapping[TensorName, Any]
) -> Iterator[str]:
    for text in node.input:
        name = source_of(text)
        if not text.startswith("^") and _plain_tensor_name(text) in given:
            continue
        if name not in nodes:
            if text.startswith("^") and (name, 0) in given:
                continue
            raise DataLossError(f"node {node.name!r} has the input {text!r}, which does not exist")
        yield name


def _plain_tensor_name(text: str) -> TensorName:
    name, _, index = text.partition(":")
    return name, int(index) if index.isdecimal() else 0 if not index else -1


def _sorted(nodes: Mapping[str, NodeDef], sources: Mapping[str, set[str]]) -> list[NodeDef]:
    """Return nodes after their sources; of those that are ready, the first of the file first."""
    places = {name: at for at, name in enumerate(nodes)}
    names = list(nodes)
    missing = {name: len(each) for name, each in sources.items()}
    users: dict[str, list[str]] = {name: [] for name in sources}
    for name, each in sources.items():
        for source in each:
            users[source].append(name)
    ready = [places[name] for name, count in missing.items() if not count]
    heapq.heapify(ready)
    found: list[NodeDef] = []
    while ready:
        name = names[heapq.heappop(ready)]
        found.append(nodes[name])
        for user in users[name]:
            missing[user] -= 1
            if not missing[user]:
                heapq.heappush(ready, places[user])
    if len(found) < len(sources):
        stuck = min((name for name, count in missing.items() if count), key=places.__getitem__)
        raise DataLossError(f"node {stuck!r} depends on itself")
    return found


class BodyImport:
    """The nodes of a graph or library function, being recorded in the current graph.

    Args:
        nodes: the nodes by name.
        functions: the library.
        graph: the graph that is recording.
        given: values in place of results of nodes, and of parameters.
        is_function: whether it is a function of the library.
        prefix: the prefix of the names of the recorded nodes.
    """

    def __init__(
        self,
        nodes: Mapping[str, NodeDef],
        functions: ImportedLibrary,
        graph: Graph,
        given: Mapping[TensorName, Outer],
        is_function: bool,
        prefix: str = "",
    ) -> None:
        self.nodes = nodes
        self.functions = functions
        self.graph = graph
        self._values: dict[TensorName, Any] = dict(given)
        self._is_function = is_function
        self._prefix = prefix

    @property
    def static(self) -> StaticValues:
        """The values that are known while importing."""
        return self.functions.static

    def value(self, text: str) -> Any:
        """Return the value that an input names; DataLossError if there is none."""
        place = self._tensor_name(text)
        if place not in self._values:
            raise DataLossError(f"the input {text!r} does not exist")
        return self._values[place]

    def give(self, name: str, value: Any) -> None:
        """Give a value in place of the first result of a node."""
        self._values[name, 0] = value

    def results(self, name: str) -> list[Any]:
        """Return the results of a node that was recorded."""
        found: list[Any] = []
        while (name, len(found)) in self._values:
            found.append(self._values[name, len(found)])
        return found

    def record(self, node: NodeDef) -> None:
        """Record one node, of which all inputs are recorded.

        Raises:
            OpError: the node is not valid; the message names it.
        """
        self.functions.count(node)
        self.graph.labels.forget()
        start = len(self.graph.nodes)
        try:
            self._record(node)
            self._name_nodes(node, start)
        except OpError as error:
            raise _named(error, node) from error
        except _DAMAGE as error:
            raise _named(DataLossError(f"it is damaged: {error}"), node) from error

    def _record(self, node: NodeDef) -> None:
        texts = [text for text in node.input if not text.startswith("^")]
        inputs = [self.value(text) for text in texts]
        step = NodeImport(node, inputs, self)
        signature = SIGNATURES[node.op]
        _check(step, "takes", signature.inputs, inputs)
        made = RULES[node.op](step)
        results = list(made) if isinstance(made, (list, tuple)) else [made]
        if made is None:
            results = []
        _check(step, "returns", signature.outputs, results)
        _check_attributes(step)
        for index, value in enumerate(results):
            if (node.name, index) not in self._values:
                self._values[node.name, index] = value

    def _name_nodes(self, node: NodeDef, start: int) -> None:
        """Name the nodes that were recorded for a node of the GraphDef after it."""
        results = {id(value) for value in self.results(node.name)}
        base, last = self._prefix + node.name, self.graph.nodes[-1:]
        for made in self.graph.nodes[start:]:
            is_last = any(id(output) in results for output in made.outputs)
            is_last = is_last or not results and made in last
            made.name = self.graph.fresh_name(base if is_last else f"{base}/{made.op.name}")
            made.label = made.name

    def _tensor_name(self, text: str) -> TensorName:
        name, _, rest = text.partition(":")
        if not rest:
            return name, 0
        if not self._is_function or rest.isdecimal():
            return _plain_tensor_name(text)
        argument, _, index = rest.partition(":")
        node = self.nodes.get(name)
        if node is None or not index.isdecimal():
            raise DataLossError(f"the input {text!r} does not exist")
        return name, _offset(node, argument) + int(index)


def _offset(node: NodeDef, wanted: str) -> int:
    """Return the index of the first result of an output argument."""
    attrs, start = NodeAttributes(node), 0
    for argument in SIGNATURES[node.op].outputs:
        if argument.name == wanted:
            return start
        start += len(kinds_of(argument, attrs))
    raise DataLossError(f"node {node.name!r} ({node.op}) has no output {wanted!r}")


def kinds_of(argument: OpArgument, attrs: NodeAttributes) -> Sequence[Kind | None]:
    """Return the dtypes of an argument, one for each of its values; None for an unknown one.

    >>> from runtime.export.graphdef.messages import AttrValue
    >>> attrs = NodeAttributes(NodeDef(attr={"N": AttrValue(i=2), "T": AttrValue(type=1)}))
    >>> kinds_of(OpArgument("values", "T", "N"), attrs)
    [rt.float32, rt.float32]
    """
    if argument.count == "*":
        return attrs.kinds(argument.dtype)
    count = attrs.number(argument.count) if argument.count else 1
    if not 0 <= count <= 100_000:
        raise DataLossError(f"it counts {count} values as {argument.name!r}")
    if argument.dtype == "resource":
        return [RESOURCE] * count
    if argument.is_fixed:
        return [BY_NAME[argument.dtype]] * count
    return [attrs.kind(argument.dtype) if attrs.has(argument.dtype) else None] * count


def _check(
    step: NodeImport, verb: str, arguments: Sequence[OpArgument], values: Sequence[Any]
) -> None:
    """Raise DataLossError unless values have the number and the dtypes that a node declares."""
    wanted = [(argument, kind) for argument in arguments for kind in kinds_of(argument, step.attrs)]
    if len(wanted) != len(values):
        raise DataLossError(f"it {verb} {len(wanted)} values, not {len(values)}")
    for (argument, kind), value in zip(wanted, values):
        found = value.dtype if isinstance(value, Tensor) else RESOURCE
        if kind is None or found is kind or argument.name.startswith("flow"):
            continue
        names = [str(each.as_datatype_enum) for each in (kind, found)]
        raise DataLossError(f"it {verb} {names[0]} as {argument.name!r}, and this is {names[1]}")


def _check_attributes(step: NodeImport) -> None:
    """Raise DataLossError if a node has an attribute that nothing has read."""
    signature = SIGNATURES[step.op]
    typed = {
        word
        for argument in (*signature.inputs, *signature.outputs)
        for word in (argument.dtype, argument.count)
    }
    unread = set(step.node.attr) - step.attrs.read - typed - IGNORED
    if unread:
        raise DataLossError(f"its attribute {min(unread)!r} is unknown here")


def _named(error: OpError, node: NodeDef) -> OpError:
    """Return an error with the name of the innermost node that it is about."""
    if error.message.startswith("node '"):
        return error
    return type(error)(f"node {node.name!r} ({node.op}): {error.message}", error.origin)
