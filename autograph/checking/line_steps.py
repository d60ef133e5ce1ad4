"""Records the variables that change at each line, in plain or converted code and in a graph's run.

For a graph, the function is traced once more. Its lines are followed, and each binding of a
variable is recorded with the number of nodes that the graph has at the time. Then probes are put
into the graph at these places: nodes that record the values of tensors. The graph is run on the
arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from types import FrameType
from typing import Any

from autograph.backends.graph.source.staging_log import outermost
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Undefined, UndefinedReturnValue
from autograph.checking.differences import difference
from autograph.checking.value_snapshot import ValueSnapshot, is_a, snapshot_of
from autograph.insight.line_follower import FollowedCall, FollowedDefinition
from runtime.core.context import current_recorder
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.graph.capture import Capture
from runtime.graph.graph import PLACEHOLDER, Graph
from runtime.graph.node import Node
from runtime.ops.op import Op

_MOST_CHANGES = 20_000
_IMMUTABLE = (bool, int, float, complex, str, bytes, type(None), EagerTensor)


@dataclass(frozen=True, eq=False)
class VariableChange:
    """A change of a variable's value.

    Attributes:
        definition: the function that has the variable.
        line: the line that ran last.
        name: the name of the variable.
        value: the new value.
    """

    definition: FollowedDefinition
    line: int
    name: str
    value: ValueSnapshot


@dataclass(eq=False, repr=False)
class LineSteps:
    """A listener that records the changes of a run.

    Attributes:
        changes: the changes, in order.
        last: the function and line of the call that ended last.
        is_full: whether there were more changes than the limit.
        printed: the functions and lines that wrote to standard output, with the length of the
            output after them.
    """

    changes: list[VariableChange] = field(default_factory=list)
    last: tuple[FollowedDefinition, int] | None = None
    is_full: bool = False
    printed: list[tuple[int, FollowedDefinition, int]] = field(default_factory=list)
    _known: dict[FollowedCall, dict[str, tuple[Any, ValueSnapshot]]] = field(default_factory=dict)
    _lines: dict[FrameType, int] = field(default_factory=dict)

    def entered(self, call: FollowedCall) -> None:
        """Record the arguments."""
        self._known[call] = {}
        self._record_changes(call, call.frame, call.definition.line)

    def body_entered(self, call: FollowedCall, frame: FrameType) -> None:
        """Do nothing: the body shares the variables of its call."""

    def reached(self, call: FollowedCall, frame: FrameType, line: int) -> None:
        """Record the changes of the line before."""
        self._record_changes(call, frame, self._lines.get(frame, call.definition.line))
        self._lines[frame] = line

    def left(self, call: FollowedCall, frame: FrameType, abandoned: bool) -> None:
        """Record the changes of the last line."""
        line = self._lines.pop(frame, call.definition.line)
        self._record_changes(call, frame, line)
        self.last = call.definition, line

    def _record_changes(self, call: FollowedCall, frame: FrameType, line: int) -> None:
        written = sys.stdout.tell() if is_a(sys.stdout, StringIO) else 0
        if written > (self.printed[-1][0] if self.printed else 0):
            self.printed.append((written, call.definition, line))
        if self.is_full:
            return
        known = self._known.setdefault(call, {})
        for name, value in frame.f_locals.items():
            if name in call.names and not is_unbound(value):
                self._note(call, line, name, value, known)
        self.is_full = len(self.changes) > _MOST_CHANGES

    def _note(
        self,
        call: FollowedCall,
        line: int,
        name: str,
        value: Any,
        known: dict[str, tuple[Any, ValueSnapshot]],
    ) -> None:
        before = known.get(name)
        if before is not None and before[0] is value and is_a(value, _IMMUTABLE):
            return
        now = snapshot_of(value)
        known[name] = value, now
        if before is None or not is_same(before[1], now):
            self.changes.append(VariableChange(call.definition, line, name, now))


def is_unbound(value: Any) -> bool:
    """Return whether a value is the mark of an unbound variable in converted code."""
    return is_a(value, (Undefined, UndefinedReturnValue)) and not is_a(value, PossiblyUnbound)


def is_same(a: ValueSnapshot, b: ValueSnapshot) -> bool:
    """Return whether two values of a variable are the same, in plain or staged code."""
    return difference(a, b, staged=True) is None and difference(b, a, staged=True) is None


def with_arrays(value: ValueSnapshot, arrays: Mapping[int, Any]) -> ValueSnapshot:
    """Return a value with arrays in the place of its holes, by number."""
    if value.kind == "hole":
        return ValueSnapshot("tensor", arrays[value.content])
    if is_a(value.content, dict):
        parts = {name: with_arrays(part, arrays) for name, part in value.content.items()}
        return ValueSnapshot(value.kind, parts, value.has_names)
    return value


# -- steps of a graph ------------------------------------------------------------------------------


# Kinds of values that are compared by line. An object may change without a new binding, and the
# items of a staged list are unknown.
_COMPARED_KINDS = ("tensor", "array", "python", "hole", "list", "dict")
_EXCLUDED_TYPES = ("DynamicItems", "OneOfObjects", "StagedList")


@dataclass(frozen=True, eq=False)
class Binding:
    """A binding of a variable in a trace, or, without a name, the beginning of a call.

    Attributes:
        call: the call that has the variable.
        line: the line that ran last.
        name: the name of the variable; empty for the beginning of a call.
        value: its value, with holes in the place of symbolic tensors.
        tensors: the tensors of the holes.
        present: the number of the hole with the presence flag; None if there is always a value.
        order: its number, over all graphs.
    """

    call: FollowedCall
    line: int
    name: str = ""
    value: ValueSnapshot | None = None
    tensors: tuple[SymbolicTensor, ...] = ()
    present: int | None = None
    order: int = 0


@dataclass(eq=False, repr=False)
class Bindings:
    """A listener that records the bindings of variables in a trace.

    Attributes:
        root: the outermost graph.
        found: the bindings by graph, each with the number of nodes before it.
        excluded: variables with values that cannot be compared.
    """

    root: Graph | None = None
    found: dict[Graph, list[tuple[int, Binding]]] = field(default_factory=dict)
    excluded: set[tuple[FollowedDefinition, str]] = field(default_factory=set)
    _count: int = 0
    _starts: dict[FollowedCall, int] = field(default_factory=dict)
    _known: dict[FrameType, dict[str, Any]] = field(default_factory=dict)
    _lines: dict[FrameType, int] = field(default_factory=dict)

    def entered(self, call: FollowedCall) -> None:
        """Record the start of a call, and its arguments."""
        self._starts[call] = self._count
        self._put(Binding(call, call.definition.line))
        self._known[call.frame] = {}
        self._record_changes(call, call.frame, call.definition.line)

    def body_entered(self, call: FollowedCall, frame: FrameType) -> None:
        """Record the loop variables, which are inputs of the body."""
        variables = _variables(call, frame)
        self._known[frame] = dict(variables)
        graph = current_recorder()
        for name, value in variables.items():
            if is_a(value, SymbolicTensor) and value.graph is graph:
                self._bind(call, frame.f_code.co_firstlineno, name, value)

    def reached(self, call: FollowedCall, frame: FrameType, line: int) -> None:
        """Record the bindings of the line before."""
        self._record_changes(call, frame, self._lines.get(frame, call.definition.line))
        self._lines[frame] = line

    def left(self, call: FollowedCall, frame: FrameType, abandoned: bool) -> None:
        """Record the bindings of the last line; drop all of a call that is traced again."""
        self._record_changes(call, frame, self._lines.pop(frame, call.definition.line))
        if abandoned and frame is call.frame:
            start = self._starts.get(call, 0)
            for graph, found in self.found.items():
                self.found[graph] = [each for each in found if each[1].order < start]

    def _record_changes(self, call: FollowedCall, frame: FrameType, line: int) -> None:
        known = self._known.setdefault(frame, {})
        for name, value in _variables(call, frame).items():
            if name not in known or known[name] is not value or is_a(value, (list, dict)):
                known[name] = value
                self._bind(call, line, name, value)

    def _bind(self, call: FollowedCall, line: int, name: str, value: Any) -> None:
        tensors: list[SymbolicTensor] = []

        def hole(tensor: SymbolicTensor) -> ValueSnapshot:
            tensors.append(tensor)
            return ValueSnapshot("hole", len(tensors) - 1)

        value, present = _value_and_presence(value)
        at = None
        if present is not None:
            at = hole(present).content if is_a(present, SymbolicTensor) else None
        now = snapshot_of(value, hole)
        if now.kind not in _COMPARED_KINDS and not is_a(value, tuple) or _has_excluded(value):
            self.excluded.add((call.definition, name))
            return
        self._put(Binding(call, line, name, now, tuple(tensors), at))

    def _put(self, binding: Binding) -> None:
        graph = current_recorder()
        if isinstance(graph, Graph):
            self.root = outermost(graph)
            numbered = replace(binding, order=self._count)
            self.found.setdefault(graph, []).append((len(graph.nodes), numbered))
            self._count += 1


@dataclass(eq=False, repr=False)
class ProbeReadings:
    """The changes in one run of a graph with probes.

    Attributes:
        changes: the changes, in order.
    """

    changes: list[VariableChange] = field(default_factory=list)
    _known: dict[tuple[FollowedCall, str], ValueSnapshot] = field(default_factory=dict)

    def note(self, binding: Binding, arrays: Sequence[Any]) -> None:
        """Record the value of a variable, if it has changed."""
        if not binding.name or binding.value is None:
            for key in [key for key in self._known if key[0] is binding.call]:
                del self._known[key]
            return
        if binding.present is not None and not arrays[binding.present]:
            return
        key = binding.call, binding.name
        now = with_arrays(binding.value, dict(enumerate(arrays)))
        before = self._known.get(key)
        self._known[key] = now
        if before is None or not is_same(before, now):
            self.changes.append(
                VariableChange(binding.call.definition, binding.line, binding.name, now)
            )


def _variables(call: FollowedCall, frame: FrameType) -> dict[str, Any]:
    return {
        name: value
        for name, value in frame.f_locals.items()
        if name in call.names and not is_unbound(value)
    }


def _value_and_presence(value: Any) -> tuple[Any, Any]:
    """Return the value of a variable, and its presence flag, if it may be unbound."""
    if is_a(value, PossiblyUnbound):
        return value.value, value.defined
    if type(value).__name__ == "OptionalValue":
        return object.__getattribute__(value, "value"), object.__getattribute__(value, "present")
    return value, None


def _has_excluded(value: Any) -> bool:
    return type(value) is list and any(type(item).__qualname__ in _EXCLUDED_TYPES for item in value)


# -- inserting probes ------------------------------------------------------------------------------


def _note(*arrays: Any, probed: ProbeReadings, binding: Binding) -> tuple[()]:
    probed.note(binding, [array.copy() for array in arrays])
    return ()


def _nothing(*specs: Any, **attrs: Any) -> tuple[()]:
    return ()


PROBE = Op("probe", kernel=_note, infer=_nothing, effects="io", n_outputs=0)


class ProbeInserter:
    """Puts probes into a traced graph, in place; the graph is run only once."""

    def __init__(self, root: Graph) -> None:
        self._owners: dict[Graph, tuple[Node, Graph]] = {}
        stack = [root]
        self.graphs = [root]
        while stack:
            graph = stack.pop()
            for node in graph.nodes:
                for region in node.regions:
                    self._owners[region] = node, graph
                    stack.append(region)
                    self.graphs.append(region)

    def put(
        self, graph: Graph, found: Sequence[tuple[int, Binding]], probed: ProbeReadings
    ) -> None:
        """Put probes into one graph, each before the node with its number."""
        at: dict[int, list[Node]] = {}
        for position, binding in found:
            inputs = [self._tensor_in(graph, tensor) for tensor in binding.tensors]
            if all(tensor is not None for tensor in inputs):
                attrs: Mapping[str, object] = {"probed": probed, "binding": binding}
                operands: Any = tuple(inputs)
                node = Node(-1, f"probe_{len(at)}_{position}", PROBE, operands, attrs, effect="io")
                at.setdefault(position, []).append(node)
        nodes = list(graph.nodes)
        graph.nodes[:] = [
            each
            for position in range(len(nodes) + 1)
            for each in (*at.get(position, ()), *nodes[position : position + 1])
        ]
        if at:
            self._keep_alive(graph)

    def _keep_alive(self, graph: Graph) -> None:
        """Give the nodes around a probe an effect, so that they run even if unused."""
        while graph in self._owners:
            node, graph = self._owners[graph]
            node.effect = "io"

    def _tensor_in(self, graph: Graph, tensor: SymbolicTensor) -> SymbolicTensor | None:
        """Return a tensor as it is seen in a graph, by a capture if needed; None if it is not."""
        if tensor.graph is graph:
            return tensor
        if graph not in self._owners:
            return None
        node, outer = self._owners[graph]
        operand = self._tensor_in(outer, tensor)
        if operand is None:
            return None
        for each in graph.captures:
            if each.outer is operand or each.outer is tensor:
                return each.inner
        for region in node.regions:
            region.captures.append(Capture(operand, _stand_in(region, operand)))
        node.inputs = (*node.inputs, operand)
        return graph.captures[-1].inner


def _stand_in(region: Graph, operand: SymbolicTensor) -> SymbolicTensor:
    name = f"probed_{len(region.captures)}"
    node = Node(-1 - len(region.inputs), name, PLACEHOLDER, (), {})
    tensor = SymbolicTensor(region, node, 0, operand.spec, operand.weak)
    node.outputs = (tensor,)
    return tensor


def with_probes(bindings: Bindings) -> tuple[Graph, ProbeReadings]:
    """Put probes into the graph of a trace, and return it with their readings.

    Raises:
        LookupError: nothing was traced.
    """
    if bindings.root is None:
        raise LookupError("no graph was recorded")
    probed, prober = ProbeReadings(), ProbeInserter(bindings.root)
    for graph in prober.graphs:
        prober.put(graph, bindings.found.get(graph, ()), probed)
    return bindings.root, probed
