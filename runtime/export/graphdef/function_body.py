"""`Body`: the nodes of a graph or library function under construction.

In a graph a result is named `node` or `node:1`, in a function `node:output:0`, after the argument
of the op; a parameter of a function is its name alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from runtime.core.dtypes import DType, as_dtype
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.errors import InternalError
from runtime.export.graphdef.attribute_values import attr_value
from runtime.export.graphdef.data_types import RESOURCE, ResourceType
from runtime.export.graphdef.messages import NodeDef
from runtime.export.graphdef.tf_ops import SIGNATURES, STATEFUL, OpArgument
from runtime.graph.node import Node

Kind = DType | ResourceType
"""The dtype of a result, or the type of a variable."""


@dataclass(frozen=True)
class ValueRef:
    """A result of a node, or a parameter.

    Attributes:
        node: the name of the node or the parameter.
        kind: the dtype.
        argument: the name of the op's output argument; empty for a parameter.
        place: the index within that argument.
        index: the index among all results of the node.
    """

    node: str
    kind: Kind
    argument: str = ""
    place: int = 0
    index: int = 0


class NodeFacts:
    """Facts about a node or a parameter that a GraphDef does not have.

    Args:
        source: the node of the graph that it was made for.
        attrs: its attributes.

    Attributes:
        results: its results.
        specs: the known specs of its results, by their index; of a list the specs of its items.
    """

    __slots__ = ("attrs", "results", "source", "specs")

    def __init__(self, source: Node | None, attrs: Mapping[str, Any]) -> None:
        self.source = source
        self.attrs = attrs
        self.results: Sequence[ValueRef] = ()
        self.specs: dict[int, TensorSpec] = {}


class UniqueNames:
    """Generates unique names."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def fresh(self, wanted: str) -> str:
        """Return a name like `wanted`, with `_1`, `_2`, ... appended if it is taken.

        TensorFlow treats names that differ only in case as equal.
        """
        name, number = wanted, 0
        while name.lower() in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name.lower())
        return name


class Body:
    """A sequence of nodes under construction.

    Args:
        prefix: the prefix of the node names, such as `cond/`.
        is_function: whether it is a function of the library.
    """

    def __init__(self, prefix: str = "", is_function: bool = False) -> None:
        self.prefix = prefix
        self.is_function = is_function
        self.nodes: list[NodeDef] = []
        self.results: dict[str, list[ValueRef]] = {}
        """The results of each node."""
        self.names = UniqueNames()
        self.arguments = UniqueNames()
        self.changes: list[str] = []
        """The nodes with effects that were added since the list was last cleared."""
        self.is_stateful = False
        self.source: Node | None = None
        """The node of the graph that nodes are added for."""
        self.facts: dict[str, NodeFacts] = {}
        """The facts about each node and parameter."""
        self._waits: tuple[str, ...] = ()

    @contextmanager
    def after(self, earlier: Iterable[str]) -> Iterator[None]:
        """Let the nodes with effects that are added wait for earlier nodes."""
        before, self._waits = self._waits, tuple(earlier)
        try:
            yield
        finally:
            self._waits = before

    def add(
        self,
        op: str,
        inputs: Sequence[Any],
        attrs: dict[str, Any] | None = None,
        name: str | None = None,
        waits: Iterable[str] = (),
    ) -> list[ValueRef]:
        """Add a node and return its results.

        Args:
            op: the op's name in TensorFlow.
            inputs: a ValueRef for each argument, or a list of them if it takes several.
            attrs: the attributes that do not follow from the inputs.
            name: the unique name of the node; by default it is derived from the op.
            waits: the nodes that must run before.
        """
        signature = SIGNATURES[op]
        found = dict(attrs or {})
        for argument, given in zip(signature.inputs, inputs, strict=True):
            _bind(op, argument, given, found)
        full = self.prefix + (name or self.names.fresh(op))
        self._put(full, op, inputs, found, waits, op in STATEFUL)
        made = self.results[full] = list(_results(full, signature.outputs, found))
        self.facts[full].results = made
        return made

    def show(
        self,
        op: str,
        inputs: Sequence[Any],
        attrs: dict[str, Any],
        name: str,
        kinds: Iterable[Kind],
    ) -> list[ValueRef]:
        """Add a node that TensorFlow cannot run, with results of some dtypes; return them."""
        full = self.prefix + name
        self._put(full, op, inputs, attrs, (), has_effects=True)
        refs = [ValueRef(full, kind, "output", at, at) for at, kind in enumerate(kinds)]
        self.results[full] = refs
        return refs

    def _put(
        self,
        full: str,
        op: str,
        inputs: Sequence[Any],
        attrs: dict[str, Any],
        waits: Iterable[str],
        has_effects: bool,
    ) -> None:
        waiting = [*waits, *(self._waits if has_effects else ())]
        self.facts[full] = NodeFacts(self.source, attrs)
        self.nodes.append(
            NodeDef(
                name=full,
                op=op,
                input=[*map(self.text, _flat(inputs)), *(f"^{each}" for each in waiting)],
                attr={key: attr_value(value) for key, value in attrs.items()},
            )
        )
        if has_effects:
            self.is_stateful = True
            self.changes.append(full)

    def marked(self) -> tuple[int, int]:
        """Return the number of nodes, and of those with effects; for `take_back`."""
        return len(self.nodes), len(self.changes)

    def take_back(self, mark: tuple[int, int]) -> None:
        """Remove the nodes that were added since `marked`."""
        for node in self.nodes[mark[0] :]:
            del self.results[node.name], self.facts[node.name]
        del self.nodes[mark[0] :], self.changes[mark[1] :]

    def const(self, array: Array, name: str | None = None) -> ValueRef:
        """Add a constant under an unused name."""
        dtype = as_dtype(array.dtype)
        full = name or self.names.fresh("Const")
        return self.add("Const", (), {"dtype": dtype, "value": array}, full)[0]

    def has_spec(self, ref: ValueRef, spec: TensorSpec) -> None:
        """Note the spec of a result, or of the items of a list, unless one is noted already."""
        facts = self.facts.get(ref.node)
        if facts is None:
            facts = self.facts[ref.node] = NodeFacts(self.source, {})
        facts.specs.setdefault(ref.index, spec)

    def text(self, ref: ValueRef) -> str:
        """Return the text that names a result as an input."""
        if not ref.argument:
            return ref.node
        if self.is_function:
            return f"{ref.node}:{ref.argument}:{ref.place}"
        return f"{ref.node}:{ref.index}" if ref.index else ref.node


def node_name(text: str) -> str:
    """Return a name that a node may have.

    >>> node_name("d['k']"), node_name("_x")
    ('d__k__', 'x')
    """
    return re.sub(r"[^A-Za-z0-9_./]", "_", text).lstrip("_/") or "node"


def argument_name(text: str) -> str:
    """Return a name that a parameter of a function may have.

    >>> argument_name("cond/X"), argument_name("2")
    ('cond_x', 'arg_2')
    """
    name = re.sub(r"[^a-z0-9_]", "_", text.lower()).strip("_")
    return name if re.match("[a-z]", name) else f"arg_{name}"


def _flat(inputs: Iterable[Any]) -> Iterator[ValueRef]:
    for each in inputs:
        yield from (each,) if isinstance(each, ValueRef) else each


def _bind(op: str, argument: OpArgument, given: Any, found: dict[str, Any]) -> None:
    """Set the attributes that follow from an input."""
    if argument.count == "*":
        found[argument.dtype] = [each.kind for each in given]
        return
    if argument.count:
        found[argument.count] = len(given)
    if argument.is_fixed:
        return
    for each in given if argument.count else (given,):
        if found.setdefault(argument.dtype, each.kind) != each.kind:
            raise InternalError(f"{op} takes {found[argument.dtype]}, not {each.kind}")


def _results(node: str, outputs: Iterable[OpArgument], attrs: dict[str, Any]) -> Iterator[ValueRef]:
    index = 0
    for argument in outputs:
        for place, kind in enumerate(_kinds(argument, attrs)):
            yield ValueRef(node, kind, argument.name, place, index)
            index += 1


def _kinds(argument: OpArgument, attrs: dict[str, Any]) -> Sequence[Kind]:
    if argument.count == "*":
        kinds: list[Kind] = attrs[argument.dtype]
        return kinds
    kind = _fixed(argument.dtype) if argument.is_fixed else attrs[argument.dtype]
    return [kind] * (attrs[argument.count] if argument.count else 1)


def _fixed(name: str) -> Kind:
    return RESOURCE if name == "resource" else as_dtype(name)
