"""Finds integers that skip wrap-around, since all their uses depend on low bits only.

    while k < n: total += 1     no iteration compares the total, so it is wrapped after the loop

All values of one variable (a loop's input, the values of its iterations and its output; a branch's
result) are kept in the same form. A variable that an iteration multiplies by a factor is wrapped
each time; one that grows by a term stays small for any feasible number of iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from runtime.core.tensor import SymbolicTensor
from runtime.executors.analysis.disjoint_sets import DisjointSets
from runtime.executors.numpy.numbers.integers import needs_order, wraps
from runtime.executors.numpy.numbers.intervals import ANY, Interval
from runtime.executors.numpy.numbers.representation import LIMITS, is_number
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.node_traits import may_not_fit

# The most numbers of a dtype that an unwrapped number may be a product of.
_FACTORS = 3

# Ops whose inputs and outputs share variables with the graph around.
_FLOWING = ("while_loop", "cond", "switch_case")

Where = Callable[[SymbolicTensor], Interval]
Given = Callable[[Node, Sequence[Interval]], Interval]


class DeferredWraparound:
    """The numbers of a graph that may be stored unwrapped.

    Args:
        graph: the graph.
        where: the interval of a number, after wrapping.
        given: the interval of a node's result before wrapping, from the intervals of its operands.
    """

    def __init__(self, graph: Graph, where: Where, given: Given) -> None:
        self._where, self._given = where, given
        self._variables = DisjointSets[int]()
        self._ordered: set[int] = set()
        self._loose: set[int] = set()
        self._makers: list[Node] = []
        # Loop variables.
        self._loop_outputs: list[SymbolicTensor] = []
        nodes = list(graph.walk())
        if not any(map(_wraps_integers, nodes)):
            return
        for node in nodes:
            self._flows(node)
        for node in nodes:
            self._asks(node)
        if graph.is_called:
            self._order(graph.outputs)
        self._spread()

    def holds(self, tensor: SymbolicTensor) -> bool:
        """Return whether a number may be stored unwrapped."""
        if not self._loose or tensor.node.op.name == "constant":
            return False
        return self._of(tensor) in self._loose

    # -- variables -----------------------------------------------------------------------------

    def _of(self, tensor: SymbolicTensor) -> int:
        """Return the key shared by all values of one variable."""
        return self._variables.find(id(tensor))

    def _union(self, ones: Iterable[SymbolicTensor], others: Iterable[SymbolicTensor]) -> None:
        for one, other in zip(ones, others):
            # A constant belongs to no variable.
            if "constant" not in (one.node.op.name, other.node.op.name):
                self._variables.union(id(one), id(other))

    def _flows(self, node: Node) -> None:
        """Record the values that belong to the same variable."""
        is_loop = node.op.name == "while_loop"
        if node.op.name not in _FLOWING:
            return
        for region in node.regions:
            self._union(region.inputs, node.inputs if is_loop else node.inputs[1:])
        for region in node.regions[is_loop:]:
            self._union(node.outputs, region.outputs)
        if is_loop:
            # The initial value may be a constant, so the regions' parameters are joined directly.
            for region in node.regions:
                self._union(node.outputs, region.parameters)
            self._loop_outputs += node.outputs

    def _asks(self, node: Node) -> None:
        """Record the values of which an op needs more than the low bits."""
        name = node.op.name
        if name in _FLOWING:
            self._order(node.inputs[: name != "while_loop"])
            return
        if node.regions or len(node.outputs) != 1 or not _is_whole(node.outputs[0]):
            inside = [each for region in node.regions for each in (*region.inputs, *region.outputs)]
            self._order((*node.inputs, *node.outputs, *inside))
            return
        if name == "cast":
            self._order(node.inputs if _widens(node) else ())
        else:
            asked = [each for at, each in enumerate(node.inputs) if needs_order(name, at)]
            self._order(asked)
        if may_not_fit(node) or not all(map(_is_number, node.inputs)):
            self._order((*node.inputs, *node.outputs))
        elif wraps(name):
            self._makers.append(node)

    def _order(self, tensors: Iterable[SymbolicTensor]) -> None:
        self._ordered.update(map(self._of, tensors))

    # -- the values that are not wrapped -------------------------------------------------------

    def _spread(self) -> None:
        """Find the values that may stay unwrapped, then exclude variables that grow too large."""
        while True:
            self._loose = set()
            while self._grow_once():
                pass
            bad = self._growing()
            if not bad:
                return
            self._ordered |= bad

    def _grow_once(self) -> bool:
        before = len(self._loose)
        for node in self._makers:
            leader = self._of(node.outputs[0])
            if leader in self._ordered or leader in self._loose:
                continue
            operands = [ANY if self.holds(each) else self._where(each) for each in node.inputs]
            if not self._given(node, operands).is_within(LIMITS[node.outputs[0].dtype.name]):
                self._loose.add(leader)
        return len(self._loose) > before

    def _growing(self) -> set[int]:
        """Return the variables that grow without bounds, or are products of too many factors."""
        makers = [node for node in self._makers if self.holds(node.outputs[0])]
        bad = self._products(makers)
        for circle in self._circles(makers):
            bad |= {self._of(node.outputs[0]) for node in makers if self._doubles(node, circle)}
        return bad

    def _circles(self, makers: Sequence[Node]) -> Iterator[set[int]]:
        """Yield, for each loop variable, the variables on a dependency cycle through it."""
        onward: dict[int, set[int]] = {}
        back: dict[int, set[int]] = {}
        for node in makers:
            into = self._of(node.outputs[0])
            for leader in {self._of(each) for each in node.inputs if self.holds(each)}:
                onward.setdefault(leader, set()).add(into)
                back.setdefault(into, set()).add(leader)
        for leader in {self._of(each) for each in self._loop_outputs} & self._loose:
            yield _reached(leader, onward) & _reached(leader, back)

    def _doubles(self, node: Node, circle: set[int]) -> bool:
        """Return whether an iteration multiplies a variable by a factor."""
        if self._of(node.outputs[0]) not in circle or node.op.name in _CHOOSING:
            return False
        around = sum(self._of(each) in circle for each in node.inputs if self.holds(each))
        return around > (node.op.name not in _FACTORING)

    def _products(self, makers: Sequence[Node]) -> set[int]:
        """Return the variables that would be products of too many numbers."""
        factors: dict[int, int] = {}
        bad: set[int] = set()
        changes = True
        while changes:
            changes = False
            for node in makers:
                into = self._of(node.outputs[0])
                counts = [factors.get(self._of(each), 1) for each in node.inputs]
                count = _factors(node.op.name, counts)
                if into in bad or count <= factors.get(into, 1):
                    continue
                changes = True
                if count > _FACTORS:
                    bad.add(into)
                factors[into] = 1 if into in bad else count
        return bad


# Ops whose results have no more bits than their operands.
_CHOOSING = frozenset(("select", "bitwise_and", "bitwise_or", "bitwise_xor"))
# Ops whose results are larger than their operands by a factor.
_FACTORING = frozenset(("multiply", "square", "left_shift", "squared_difference", "pow"))


def _factors(name: str, counts: Sequence[int]) -> int:
    """Return the number of factors in a result, given those of its operands."""
    if name in ("square", "left_shift", "squared_difference"):
        return 2 * max(counts)
    return sum(counts) if name in ("multiply", "pow") else max(counts)


def _is_number(tensor: SymbolicTensor) -> bool:
    return is_number(tensor.spec)


def _wraps_integers(node: Node) -> bool:
    return wraps(node.op.name) and _is_whole(node.outputs[0])


def _is_whole(tensor: SymbolicTensor) -> bool:
    return is_number(tensor.spec) and tensor.dtype.is_integer


def _widens(node: Node) -> bool:
    """Return whether a cast needs more than the low bits of its operand."""
    source, target = node.inputs[0].dtype, node.outputs[0].dtype
    return not (source.is_integer and target.is_integer and target.size <= source.size)


def _reached(leader: int, edges: dict[int, set[int]]) -> set[int]:
    """Return the variables made from a variable, after any number of iterations."""
    found: set[int] = set()
    waiting = [leader]
    while waiting:
        for each in edges.get(waiting.pop(), ()):
            if each not in found:
                found.add(each)
                waiting.append(each)
    return found
