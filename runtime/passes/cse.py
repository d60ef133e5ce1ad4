"""Common subexpression elimination, also inside of regions (the pass `cse`).

%add = add(%x, %y)                       %add = add(%x, %y)
%cond = cond(%p, %x, %y)            ->   %cond = cond(%p, %add)
  then: return add(%x, %y)                 then: return %add
  else: return %x                          else: ...

A value that was computed before, in the same graph or one around it, did not raise, so the copy
would not raise either. A repeated read of a variable is one read as long as no node in between may
change the variable; a read after an assignment is the assigned value. Constants are not shared
between graphs: they cost nothing, so a capture is not worth it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.constants import key_of
from runtime.passes.node_traits import is_value
from runtime.passes.rewriting import CAPTURING_OPS, Rewriting, capture_in
from runtime.passes.variable_versions import VariableVersions


def cse(graph: Graph) -> bool:
    """Merge equal nodes and duplicate captures of a graph; return whether there were any.

    Example:
        >>> import runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     graph.set_outputs([(x + x) * (x + x)])
        >>> cse(graph), [node.name for node in graph]
        (True, ['add', 'multiply'])
    """
    return _Cse().run(graph)


class _Cse(Rewriting):
    """Value numbering: equal values have one number, with the node that first computes it."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[int, int] = {}
        # By the key of a node: the numbers of its results, the first results, and their graph.
        self._first: dict[Any, tuple[list[int], Sequence[SymbolicTensor], Graph]] = {}
        self._undo: list[list[tuple[Any, Any]]] = []
        self._count = 0
        self._versions = VariableVersions(self._number)

    def enter_graph(self, graph: Graph, owner: Node | None) -> None:
        self._undo.append([])
        if owner is None:
            self._versions.begin(graph)
            return
        self._versions.enter_region(owner)
        if owner.op.name in CAPTURING_OPS and graph is owner.regions[0]:
            self._merge_captures(owner)
        for capture in graph.captures:
            self._numbers[id(capture.inner)] = self._number(capture.outer)

    def leave_graph(self, graph: Graph, owner: Node | None) -> None:
        for key, before in reversed(self._undo.pop()):
            if before is None:
                del self._first[key]
            else:
                self._first[key] = before

    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        self._versions.pass_node(node)
        if node.op.name == "assign_variable":
            self._add_assigned_value(graph, node)
        key = self._key(node)
        if key is None:
            return None
        known = self._first.get(key)
        if known is None:
            numbers = [self._next_number() for _ in node.outputs]
        else:
            numbers, first, defined_in = known
            found = self._captured(first, defined_in, graph)
            if found is not None and all(map(_has_spec_of, found, node.outputs)):
                return found
        for number, output in zip(numbers, node.outputs):
            self._numbers[id(output)] = number
        self._add(key, numbers, node.outputs, graph)
        return None

    def _key(self, node: Node) -> Any:
        """Return a key that equal nodes share; None for a node that equals no other."""
        weak = tuple([each.weak for each in node.outputs])
        if node.op.name == "read_variable":
            return _read_key(
                self._number(node.inputs[0]), self._versions.version(node.inputs[0]), weak
            )
        if not is_value(node):
            return None
        inputs = tuple([self._number(each) for each in node.inputs])
        return node.op.name, inputs, key_of(node.attrs), weak

    def _add_assigned_value(self, graph: Graph, node: Node) -> None:
        """Record the assigned value as the result of the reads that follow."""
        handle, value = node.inputs
        key = _read_key(self._number(handle), self._versions.version(handle), (value.weak,))
        self._add(key, [self._number(value)], (value,), graph)

    def _add(
        self, key: Any, numbers: list[int], values: Sequence[SymbolicTensor], graph: Graph
    ) -> None:
        self._undo[-1].append((key, self._first.get(key)))
        self._first[key] = (numbers, values, graph)

    def _captured(
        self, first: Sequence[SymbolicTensor], defined_in: Graph, graph: Graph
    ) -> list[SymbolicTensor] | None:
        """Return the values in `graph`, captured if need be; None if they cannot be captured."""
        if defined_in is graph:
            return list(first)
        path: list[tuple[Node, Graph]] = []
        for owner, region in reversed(self.owners):
            if region is defined_in:
                break
            path.insert(0, (owner, region))
        is_constant = any(each.node.op.name == "constant" for each in first)
        if is_constant or not all(o.op.name in CAPTURING_OPS for o, _ in path):
            return None
        found = list(first)
        for owner, region in path:
            found = [capture_in(owner, each, region) for each in found]
        for old, new in zip(first, found):
            self._numbers[id(new)] = self._numbers[id(old)]
        return found

    def _merge_captures(self, owner: Node) -> None:
        """Merge captures of the same value."""
        count = len(owner.regions[0].captures)
        first_capture = len(owner.inputs) - count
        if not count or len({id(each) for each in owner.inputs[first_capture:]}) == count:
            return
        for region in owner.regions:
            first: dict[int, SymbolicTensor] = {}
            for capture in region.captures:
                inner = first.setdefault(id(capture.outer), capture.inner)
                if inner is not capture.inner:
                    self.replace(capture.inner, inner)

    def _number(self, value: Any) -> int:
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = self._next_number()
            self._replaced.append(value)
        return number

    def _next_number(self) -> int:
        self._count += 1
        return self._count


def _read_key(handle: int, state: Hashable, weak: tuple[bool, ...]) -> Any:
    return "read_variable", handle, state, weak


def _has_spec_of(new: SymbolicTensor, old: SymbolicTensor) -> bool:
    return new.spec is old.spec or new.spec == old.spec
