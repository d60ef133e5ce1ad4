"""Common subexpression elimination, also inside of regions (the pass `cse`).

%add = add(%x, %y)                       %add = add(%x, %y)
%cond = cond(%p, %x, %y)            ->   %cond = cond(%p, %add)
  then: return add(%x, %y)                 then: return %add
  else: return %x                          else: ...

A value that was computed before, in the same graph or one around it, did not raise, so the copy
would not raise either. Operands of integer sums and products may come in either order. A repeated
read of a variable is one read as long as no node in between may change the variable; a read after
an assignment is the assigned value. Constants are not shared between graphs: they cost nothing, so
a capture is not worth it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from runtime.core.array_value import ArrayValue
from runtime.core.dtypes import DType
from runtime.core.tensor import SymbolicTensor
from runtime.graph.effects import STRENGTH
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.effects.variables import HandleSpec
from runtime.passes.node_traits import is_value
from runtime.passes.rewriting import CAPTURING_OPS, Rewriting, capture_in

# Larger arrays are compared by identity: comparing their elements costs more than it saves.
_COMPARED = 1024


def cse(graph: Graph) -> bool:
    """Merge equal nodes and duplicate captures of a graph; return whether there were any.

    Example:
        >>> import autograph.runtime as rt
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
        numbers = [self._number(each) for each in node.inputs]
        inputs = tuple(sorted(numbers) if _commutes(node) else numbers)
        return node.op.name, inputs, attributes_key(node.attrs), weak

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


# Floats are not among them: the sum of two nans has the payload of the first.
_COMMUTATIVE = frozenset(
    """
    add multiply equal not_equal logical_and logical_or logical_xor
    bitwise_and bitwise_or bitwise_xor
    """.split()
)


def _commutes(node: Node) -> bool:
    """Return whether the operands of a node may be exchanged: integers or bools in one dimension.

    In more dimensions, the order of the operands decides the memory order of the result.
    """
    return node.op.name in _COMMUTATIVE and all(
        each.spec.dtype.kind in "iub" and each.spec.shape.rank in (0, 1) for each in node.inputs
    )


def _has_spec_of(new: SymbolicTensor, old: SymbolicTensor) -> bool:
    return new.spec is old.spec or new.spec == old.spec


# -- versions of variables: two reads with the same version return the same value ------------------


_STRONGEST_HARMLESS = STRENGTH["random"]


class VariableVersions:
    """The versions of the variables at the current node of a walk over a graph.

    a = v.read_value()        the version of v is 1
    w.assign(a)               the version of w is 2
    b = v.read_value()        the version of v is still 1: b is a

    Only handles that a graph captures from outside are known to be different variables; a handle
    that is an argument may be any variable.

    Args:
        number: returns the same number for a handle wherever it is captured.
    """

    def __init__(self, number: Callable[[SymbolicTensor], int]) -> None:
        self._number = number
        self._distinct: set[int] = set()
        self._versions: dict[int, int] = {}
        self._other_version = 0
        self._global_version = 0
        self._count = 0
        # The versions before the branches of a node.
        self._at_branches: dict[Node, tuple[dict[int, int], int, int]] = {}

    def begin(self, graph: Graph) -> None:
        """Record which handles of a whole graph are known to be different variables."""
        for capture in graph.captures:
            if not isinstance(capture.outer, SymbolicTensor):
                self._distinct.add(self._number(capture.inner))

    def version(self, handle: SymbolicTensor) -> Hashable:
        """Return a variable's version, which is equal at two nodes only if its value is."""
        number = self._number(handle)
        own = (
            self._versions.get(number, 0) if number in self._distinct else -self._other_version - 1
        )
        return self._global_version, own

    def pass_node(self, node: Node) -> None:
        """Give new versions to the variables that a node, or a node in its regions, may change."""
        handles = changed_variables(node)
        if handles is None or not all(self._number(each) in self._distinct for each in handles):
            self._global_version = self._next_version()
            return
        for each in handles:
            self._versions[self._number(each)] = self._other_version = self._next_version()

    def enter_region(self, owner: Node) -> None:
        """Set the versions at the start of a region; a branch starts with those before its node."""
        if owner.op.name in ("cond", "switch_case"):
            now = dict(self._versions), self._other_version, self._global_version
            versions, self._other_version, self._global_version = self._at_branches.setdefault(
                owner, now
            )
            self._versions = dict(versions)
        elif changed_variables(owner) != []:
            self._global_version = self._next_version()

    def _next_version(self) -> int:
        self._count += 1
        return self._count


def changed_variables(node: Node) -> list[SymbolicTensor] | None:
    """Return the handles of the variables that a node may change; None if it may change any."""
    if STRENGTH[node.effect] <= _STRONGEST_HARMLESS:
        return None if requests_elements(node) else []
    if node.regions:
        return _changed_in_regions(node) if node.op.name in CAPTURING_OPS else None
    return written_handles(node) or None


def written_handles(node: Node) -> list[SymbolicTensor]:
    """Return the handles among a node's operands whose variables the node itself writes.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph()
    >>> with graph.recording():
    ...     held = rt.Variable(1).assign(2)
    >>> [len(written_handles(node)) for node in graph if node.op.effects == "write"]
    [1]
    """
    if node.op.effects != "write":
        return []
    return [each for each in node.inputs if isinstance(each.spec, HandleSpec)]


def _changed_in_regions(node: Node) -> list[SymbolicTensor] | None:
    found: list[SymbolicTensor] = []
    for region in node.regions:
        outside = {id(capture.inner): capture.outer for capture in region.captures}
        for inner in region.nodes:
            handles = changed_variables(inner)
            outer = [outside.get(id(each)) for each in handles or ()]
            known = [each for each in outer if isinstance(each, SymbolicTensor)]
            if handles is None or len(known) < len(handles):
                return None
            found += known
    return found


def requests_elements(node: Node) -> bool:
    """Return whether a node requests an element of a dataset, which user functions may compute.

    These functions may change variables, though the node itself has no effect.
    """
    if node.op.name.startswith(("dataset_", "iterator_")):
        return True
    return any(requests_elements(inner) for region in node.regions for inner in region.nodes)


def attributes_key(attrs: Mapping[str, object]) -> Any:
    """Return a key that is equal for attributes that are equal bit by bit.

    >>> attributes_key({"axis": 1}) == attributes_key({"axis": True})
    False
    >>> attributes_key({"axis": 1}) == attributes_key({"axis": 1})
    True
    """
    if not attrs:
        return ()
    return tuple([(name, _value_key(value)) for name, value in sorted(attrs.items())])


def _value_key(value: Any) -> Any:
    kind = type(value)
    if kind is int or kind is str or kind is bool or kind is bytes or value is None:
        return kind, value
    if kind is float:
        return kind, struct.pack("d", value)
    if kind is tuple:
        return kind, tuple(map(_value_key, value))
    if kind is DType:
        return kind, id(value)
    if kind is ArrayValue and value.array.size <= _COMPARED:
        return kind, value.key()
    # The caller keeps the node alive, and with it the object whose id this is.
    return kind, id(value)
