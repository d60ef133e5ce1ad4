"""Finds integers that are never negative, lists that are never empty, counters of loops that
stay below their limits, indices that stay in bounds, and divisors that are never 0.

A node of a branch or of the body of a loop runs only where conditions hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import SymbolicTensor
from runtime.export.omitted_checks import checks_of
from runtime.export.report import Omission
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.arrays.index import Index, Input
from runtime.passes.node_traits import may_not_fit

# Ops with results that are never negative.
_NEVER = frozenset(
    "argmax argmin argsort count_nonzero list_length nonzero python_order rank shape size".split()
)
# Ops whose results are elements of their first operand, or of all operands.
_OF_FIRST = frozenset(
    "boolean_mask broadcast_to expand_dims gather identity reshape squeeze strided_slice tile "
    "transpose".split()
)
_OF_ALL = frozenset(("concat", "maximum", "minimum", "stack"))
# Ops whose results after the first one are places and counts.
_PLACES = frozenset(("top_k", "unique", "unique_with_counts"))
# Ops whose lists have an item, and ops whose lists have one if their first operand has one.
_HAVE_ITEMS = frozenset(("list_append", "list_insert"))
_KEEP_ITEMS = frozenset(("list_extend", "list_reverse", "list_set"))
INDEXED = {"strided_slice": 1, "set_item": 2, "assign_item_variable": 2}
"""Ops that read or write at an index, with the place of its first tensor among the operands."""

# Ops whose result has the shape of their first operand.
_OF_ONE_SHAPE = frozenset(("cast", "ones_like", "set_item", "zeros_like"))
_NESTING = frozenset(("cond", "switch_case", "while_loop"))


_WRAPS = "a Python number that no longer fits wraps around: Python raises OverflowError here"


def overflow_omission(node: Node) -> Omission:
    """Return the omission of the check whether a Python int fits, which a file does not have."""
    return Omission("integer overflow", _WRAPS, node.origin)


def overflow_omissions(graphs: Iterable[Graph]) -> list[Omission]:
    """Return the omissions of graphs, and of their regions, for Python ints that may not fit.

    >>> overflow_omissions([Graph("f")])
    []
    """
    bounds = BoundsAnalysis()
    nodes = [node for graph in graphs for node in graph.walk()]
    for node in nodes:
        bounds.own(node)
    unchecked = (node for node in nodes if may_not_fit(node) and not bounds.stays_in_range(node))
    return list(dict.fromkeys(map(overflow_omission, unchecked)))


def failing_checks(graphs: Sequence[Graph]) -> list[Node]:
    """Return the checks and prints of graphs, and of their regions, that show something in a run.

    >>> failing_checks([Graph("f")])
    []
    """
    bounds = BoundsAnalysis()
    for graph in graphs:
        for node in graph.walk():
            bounds.own(node)
    return [node for graph in graphs for node in checks_of(graph) if not bounds.holds(node)]


def unbounded_indices(graphs: Iterable[Graph]) -> list[Node]:
    """Return the nodes of graphs, and of their regions, with a scalar index that may be outside.

    >>> unbounded_indices([Graph("f")])
    []
    """
    bounds = BoundsAnalysis()
    nodes = [node for graph in graphs for node in graph.walk()]
    for node in nodes:
        bounds.own(node)
    return [node for node in nodes if not bounds.stays_in_bounds(node)]


def is_shown_by_write(node: Node) -> bool:
    """Return whether a write fails where a node does: `v[i]` is read in `v[i].assign(x)`.

    >>> import autograph.runtime as rt
    >>> graph, v = rt.Graph("f"), rt.Variable([1.0, 2.0])
    >>> i = graph.add_input(rt.TensorSpec((), rt.int32), "i")
    >>> with graph.recording():
    ...     _ = v[i].assign(3.0)
    >>> [each.op.name for each in graph.nodes if is_shown_by_write(each)]
    ['strided_slice']
    """
    if node.op.name != "strided_slice" or node.inputs[0].node.op.name != "read_variable":
        return False
    index, place = node.attrs["index"], [*node.inputs[0].node.inputs, *node.inputs[1:]]
    return any(
        each.op.name == "assign_item_variable"
        and each.attrs["index"] == index
        and list(map(id, place)) == list(map(id, each.inputs[:1] + each.inputs[2:]))
        for each in (node.graph.nodes if node.graph else ())
    )


class BoundsAnalysis:
    """Proves that integers are not negative and lists not empty.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> n = graph.add_input(rt.TensorSpec((), rt.int32), "n")
    >>> with graph.recording():
    ...     size = rt.size(rt.zeros(n))
    >>> BoundsAnalysis().is_not_negative(size), BoundsAnalysis().is_not_negative(n)
    (True, False)
    """

    def __init__(self) -> None:
        # Tables by identity, with what they are about: a graph that is made for an export may end
        # before it, and another object would get its identity.
        self._owners: dict[int, Node] = {}
        self._found: dict[tuple[int, frozenset[int]], bool] = {}
        self._held: list[object] = []

    def enter(self, graph: Graph) -> None:
        """Record the nodes that the regions in a graph belong to."""
        for node in graph.nodes:
            self.own(node)

    def own(self, node: Node) -> None:
        """Record a node that the regions in it belong to."""
        self._owners.update((id(region), node) for region in node.regions)
        self._held.append(node)

    def is_not_negative(self, tensor: SymbolicTensor, at: Node | None = None) -> bool:
        """Return whether no element of an integer tensor can be negative, where a node runs."""
        if self._holds(tensor, frozenset()):
            return True
        return any(
            high is _source(tensor)
            and (self._holds(low, frozenset()) or (name == "less" and _number(low) == -1))
            for name, low, high in (self._comparisons_at(at) if at else ())
        )

    def is_not_zero(self, tensor: SymbolicTensor, at: Node) -> bool:
        """Return whether no element of a tensor can be 0 where a node runs."""
        return any(
            name in ("less", "not_equal")
            and (x is _source(tensor) and _is_zero(y) or y is _source(tensor) and _is_zero(x))
            for name, x, y in self._comparisons_at(at)
        )

    def holds(self, check: Node) -> bool:
        """Return whether a check never fails: one that sizes are not negative."""
        if check.op.name != "assert_relation" or check.attrs["relation"] != ">= 0":
            return False
        return self.is_not_negative(check.inputs[0], check)

    def is_not_empty(self, items: SymbolicTensor) -> bool:
        """Return whether a list always has an item."""
        return self._holds(items, frozenset())

    def stays_in_range(self, node: Node) -> bool:
        """Return whether a node adds 1 to a counter that is less than a limit of its dtype."""
        if node.op.name != "add":
            return False
        first, second = node.inputs
        return any(
            _is_one(step) and name == "less" and low is _source(counter)
            for counter, step in ((first, second), (second, first))
            for name, low, _ in self._comparisons_at(node)
        )

    def stays_in_bounds(self, node: Node) -> bool:
        """Return whether all scalars of the index of a node, if it has one, are in bounds."""
        first, index = INDEXED.get(node.op.name), node.attrs.get("index")
        if first is None or not isinstance(index, Index):
            return True
        x, given = node.inputs[0], node.inputs[first:]
        rank = x.spec.shape.rank
        if rank is None:
            return not any(isinstance(each, int | Input) for each in index.items)
        return all(
            self._is_place(given[item.position] if isinstance(item, Input) else item, x, axis, node)
            for item, axis in index.scalars(rank)
        )

    def _is_place(
        self, place: SymbolicTensor | int, x: SymbolicTensor, axis: int, at: Node
    ) -> bool:
        """Return whether a scalar is in the bounds of an axis; True for arrays of places."""
        size = x.spec.shape[axis]
        number = place if isinstance(place, int) else _number(place)
        if number is not None:
            return size is not None and -size <= number < size
        assert not isinstance(place, int)
        if place.spec.shape.rank != 0:
            return True
        found = list(self._comparisons_at(at))
        is_at_least = self.is_not_negative(place, at) or any(
            high is _source(place)
            and low.node.op.name == "negative"
            and self._is_size(low.node.inputs[0], x, axis)
            for _, low, high in found
        )
        return is_at_least and any(
            name == "less" and low is _source(place) and self._is_size(limit, x, axis)
            for name, low, limit in found
        )

    def _comparisons_at(self, node: Node) -> Iterator[Comparison]:
        """Yield comparisons that are true wherever a node runs."""
        graph = node.graph
        while (owner := self._owners.get(id(graph))) is not None:
            if owner.op.name == "cond":
                yield from _comparisons(owner.inputs[0], graph is owner.regions[0])
            elif owner.op.name == "while_loop" and graph is owner.regions[1]:
                test = owner.regions[0]
                inside = dict(zip(map(id, test.parameters), graph.parameters))
                for name, x, y in _comparisons(test.outputs[0], True):
                    yield name, inside.get(id(x), x), inside.get(id(y), y)
            graph = owner.graph

    def _is_size(self, limit: SymbolicTensor, x: SymbolicTensor, axis: int) -> bool:
        """Return whether a limit is at most the size of an axis."""
        sizes, number, node = x.spec.shape, _number(limit), _source(limit).node
        size = sizes[axis]
        if number is not None:
            return size is not None and number <= size
        index = node.attrs.get("index")
        if node.op.name == "strided_slice" and isinstance(index, Index):
            node = _source(node.inputs[0]).node
            if node.op.name != "shape" or index.items not in ((axis,), (axis - len(sizes),)):
                return False
        elif node.op.name != "size" or len(sizes) != 1:
            return False
        return self._shape_of(node.inputs[0]) == self._shape_of(x)

    def _shape_of(self, x: SymbolicTensor) -> object:
        """Return a key that tensors share if they always have one shape."""
        x = _before_writes(x)
        place = self._loop_variable(x)
        if place is None:
            return id(x)
        loop, at = place
        body = loop.regions[1]
        is_kept = _before_writes(body.outputs[at]) is body.parameters[at]
        return self._shape_of(loop.inputs[at]) if is_kept else (id(loop), at)

    def _holds(self, tensor: SymbolicTensor, assumed: frozenset[int]) -> bool:
        """Return whether an integer is not negative, or a list not empty.

        Args:
            tensor: the integer or the list.
            assumed: the identities of variables of loops that are so before an iteration.
        """
        tensor = _source(tensor)
        key = id(tensor), assumed
        if key not in self._found:
            self._held.append(tensor)
            self._found[key] = False
            self._found[key] = id(tensor) in assumed or self._is_made_so(tensor, assumed)
        return self._found[key]

    def _is_made_so(self, tensor: SymbolicTensor, assumed: frozenset[int]) -> bool:
        node, name = tensor.node, tensor.node.op.name
        place = self._variable(tensor)
        if place is not None:
            return self._is_variable_so(*place, assumed)
        if tensor.dtype.is_variant and name not in _NESTING:
            return self._has_items(node, assumed)
        if name in _PLACES and tensor is not node.outputs[0]:
            return True
        if tensor.dtype.np_dtype.kind in "bu" or name in _NEVER:
            return True
        if name == "constant":
            return tensor.dtype.is_integer and bool(np.all(node.attrs["value"].array >= 0))
        if name in _NESTING:
            at = next(at for at, each in enumerate(node.outputs) if each is tensor)
            if name == "while_loop":
                return self._is_variable_so(node, at, assumed)
            return all(self._holds(each.outputs[at], assumed) for each in node.regions)
        operands = _operands_like(node)
        return bool(operands) and all(self._holds(each, assumed) for each in operands)

    def _has_items(self, made: Node, assumed: frozenset[int]) -> bool:
        if made.op.name == "list_of":
            return bool(made.inputs)
        if made.op.name in _KEEP_ITEMS or _is_whole(made):
            return self._holds(made.inputs[0], assumed)
        return made.op.name in _HAVE_ITEMS

    def _is_variable_so(self, loop: Node, at: int, assumed: frozenset[int]) -> bool:
        """Return whether a variable of a loop starts so, and each iteration leaves it so."""
        body = loop.regions[1]
        if not self._holds(loop.inputs[at], assumed):
            return False
        return self._holds(body.outputs[at], assumed | {id(body.parameters[at])})

    def _variable(self, tensor: SymbolicTensor) -> tuple[Node, int] | None:
        """Return the loop of which a tensor is a variable in the body, and the variable's place."""
        found = self._loop_variable(tensor)
        return found if found and tensor.graph is found[0].regions[1] else None

    def _loop_variable(self, tensor: SymbolicTensor) -> tuple[Node, int] | None:
        """Return the loop of which a tensor is a variable, also in the test, and its place."""
        owner = self._owners.get(id(tensor.graph))
        if owner is None or owner.op.name != "while_loop":
            return None
        parameters = enumerate(tensor.graph.parameters)
        return next(((owner, at) for at, each in parameters if each is tensor), None)


def _is_whole(made: Node) -> bool:
    """Return whether a list has all items of another one, as in `xs[::-1]`."""
    span: Any = made.attrs.get("span")
    return made.op.name == "list_slice" and span.start is None and span.stop is None


def _source(tensor: SymbolicTensor) -> SymbolicTensor:
    """Return the tensor that one captures, or is as an integer of another dtype."""
    while True:
        outer = tensor.graph.outer_of(tensor)
        if isinstance(outer, SymbolicTensor):
            tensor = outer
        elif tensor.node.op.name == "identity" or _is_widening(tensor.node):
            tensor = tensor.node.inputs[0]
        else:
            return tensor


def _before_writes(tensor: SymbolicTensor) -> SymbolicTensor:
    """Return the tensor from which one has its shape, as after `set_item`, or that tensor."""
    tensor = _source(tensor)
    while tensor.node.op.name in _OF_ONE_SHAPE:
        tensor = _source(tensor.node.inputs[0])
    return tensor


def _number(tensor: SymbolicTensor) -> int | None:
    """Return the number that an integer always is; None if it is not known."""
    node = _source(tensor).node
    if node.op.name != "constant" or tensor.spec.shape.rank != 0 or not tensor.dtype.is_integer:
        return None
    value: Any = node.attrs["value"]
    return int(value.array)


def _is_widening(node: Node) -> bool:
    if node.op.name != "cast":
        return False
    old, new = node.inputs[0].dtype, node.outputs[0].dtype
    return old.is_integer and new.is_integer and old.size <= new.size


def _operands_like(node: Node) -> Sequence[SymbolicTensor]:
    """Return operands such that no result is negative if none of them is; none if unknown."""
    name = node.op.name
    if name in _OF_FIRST:
        return node.inputs[:1]
    if name == "range":
        return (node.inputs[0], node.inputs[2])
    if name == "floormod":
        return node.inputs[1:]
    if name == "add" and any(_source(each).node.op.name == "constant" for each in node.inputs):
        return node.inputs
    return node.inputs if name in _OF_ALL else ()


def _is_one(tensor: SymbolicTensor) -> bool:
    tensor = _source(tensor)
    return tensor.node.op.name == "constant" and bool(np.all(tensor.node.attrs["value"].array == 1))


def _is_zero(tensor: SymbolicTensor) -> bool:
    tensor = _source(tensor)
    return tensor.node.op.name == "constant" and bool(np.all(tensor.node.attrs["value"].array == 0))


Comparison = tuple[str, SymbolicTensor, SymbolicTensor]
"""`less`, `less_equal`, `equal` or `not_equal`, and two values of which it is true."""

_SWAPPED = {"greater": "less", "greater_equal": "less_equal"}
_OPPOSITE = {"less": "greater_equal", "less_equal": "greater", "equal": "not_equal"}
_OPPOSITE.update({value: key for key, value in _OPPOSITE.items()})


def _comparisons(condition: SymbolicTensor, holds: bool) -> Iterator[Comparison]:
    """Yield comparisons that are true where a condition holds, or where it does not."""
    node = _source(condition).node
    name = node.op.name
    if name == "logical_not":
        yield from _comparisons(node.inputs[0], not holds)
    elif name == ("logical_and" if holds else "logical_or"):
        for each in node.inputs:
            yield from _comparisons(each, holds)
    elif name == ("reduce_all" if holds else "reduce_any"):
        yield from _comparisons(node.inputs[0], holds)
    elif name in _OPPOSITE:
        x, y = map(_source, node.inputs)
        name = name if holds else _OPPOSITE[name]
        yield (_SWAPPED[name], y, x) if name in _SWAPPED else (name, x, y)
    elif name == "cond":
        # `a and b` is b where a holds, and else a.
        chooser: SymbolicTensor = node.inputs[0]
        taken, other = node.regions if holds else node.regions[::-1]
        at = next(at for at, each in enumerate(node.outputs) if each is _source(condition))
        if _source(other.outputs[at]) is _source(chooser):
            yield from _comparisons(chooser, holds)
            yield from _comparisons(taken.outputs[at], holds)
