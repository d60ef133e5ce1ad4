"""Common subexpression elimination, also inside of regions (the pass `cse`).

%add = add(%x, %y)                       %add = add(%x, %y)
%cond = cond(%p, %x, %y)            ->   %cond = cond(%p, %add)
  then: return add(%x, %y)                 then: return %add
  else: return %x                          else: ...

A value computed before, in the same graph or in one around it, did not raise, so computing it again
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
from runtime.passes.rewriting import PLAIN_OWNERS, Rewriting, bring_in
from runtime.passes.variable_reads import VariableReads


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
        # By the key of a node: the numbers of its results, the tensors that had them first, their
        # graph.
        self._known: dict[Any, tuple[list[int], Sequence[SymbolicTensor], Graph]] = {}
        self._undo: list[list[tuple[Any, Any]]] = []
        self._next = 0
        self._held = VariableReads(self._number)

    def enters(self, graph: Graph, owner: Node | None) -> None:
        self._undo.append([])
        if owner is None:
            self._held.begin(graph)
            return
        self._held.enter(owner)
        if owner.op.name in PLAIN_OWNERS and graph is owner.regions[0]:
            self._merge_captures(owner)
        for held in graph.captures:
            self._numbers[id(held.inner)] = self._number(held.outer)

    def leaves(self, graph: Graph, owner: Node | None) -> None:
        for key, before in reversed(self._undo.pop()):
            if before is None:
                del self._known[key]
            else:
                self._known[key] = before

    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        self._held.change(node)
        if node.op.name == "assign_variable":
            self._assigned(graph, node)
        key = self._key(node)
        if key is None:
            return None
        known = self._known.get(key)
        if known is None:
            numbers = [self._fresh() for _ in node.outputs]
        else:
            numbers, first, place = known
            found = self._brought(first, place, graph)
            if found is not None and all(map(_is_like, found, node.outputs)):
                return found
        for number, output in zip(numbers, node.outputs):
            self._numbers[id(output)] = number
        self._know(key, numbers, node.outputs, graph)
        return None

    def _key(self, node: Node) -> Any:
        """Return a key that equal nodes share; None for a node that equals no other."""
        weak = tuple([each.weak for each in node.outputs])
        if node.op.name == "read_variable":
            return _read_of(self._number(node.inputs[0]), self._held.state(node.inputs[0]), weak)
        if not is_value(node):
            return None
        inputs = tuple([self._number(each) for each in node.inputs])
        return node.op.name, inputs, key_of(node.attrs), weak

    def _assigned(self, graph: Graph, node: Node) -> None:
        """Record the assigned value as the result of the reads that follow."""
        handle, value = node.inputs
        key = _read_of(self._number(handle), self._held.state(handle), (value.weak,))
        self._know(key, [self._number(value)], (value,), graph)

    def _know(
        self, key: Any, numbers: list[int], values: Sequence[SymbolicTensor], graph: Graph
    ) -> None:
        self._undo[-1].append((key, self._known.get(key)))
        self._known[key] = (numbers, values, graph)

    def _brought(
        self, first: Sequence[SymbolicTensor], place: Graph, graph: Graph
    ) -> list[SymbolicTensor] | None:
        """Return the values inside of `graph`, None if they cannot be captured there."""
        if place is graph:
            return list(first)
        way: list[tuple[Node, Graph]] = []
        for owner, region in reversed(self.owners):
            if region is place:
                break
            way.insert(0, (owner, region))
        is_constant = any(each.node.op.name == "constant" for each in first)
        if is_constant or not all(o.op.name in PLAIN_OWNERS for o, _ in way):
            return None
        found = list(first)
        for owner, region in way:
            found = [bring_in(owner, each, region) for each in found]
        for old, new in zip(first, found):
            self._numbers[id(new)] = self._numbers[id(old)]
        return found

    def _merge_captures(self, owner: Node) -> None:
        """Merge captures of the same value."""
        count = len(owner.regions[0].captures)
        own = len(owner.inputs) - count
        if not count or len({id(each) for each in owner.inputs[own:]}) == count:
            return
        for region in owner.regions:
            first: dict[int, SymbolicTensor] = {}
            for held in region.captures:
                inner = first.setdefault(id(held.outer), held.inner)
                if inner is not held.inner:
                    self.replace(held.inner, inner)

    def _number(self, value: Any) -> int:
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = self._fresh()
            self._gone.append(value)
        return number

    def _fresh(self) -> int:
        self._next += 1
        return self._next


def _read_of(handle: int, state: Hashable, weak: tuple[bool, ...]) -> Any:
    return "read_variable", handle, state, weak


def _is_like(new: SymbolicTensor, old: SymbolicTensor) -> bool:
    return new.spec is old.spec or new.spec == old.spec
