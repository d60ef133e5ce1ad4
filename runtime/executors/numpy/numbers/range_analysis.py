"""Range analysis: bounds of the integers of a graph that hold in every run.

The interval of a loop variable contains its initial value and its value after any iteration. It is
found iteration by iteration; a bound that still moves after a few rounds is widened to that of the
dtype, and the condition of the loop narrows it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from runtime.core.array_value import ArrayValue
from runtime.core.tensor import SymbolicTensor
from runtime.executors.numpy.numbers.deferred_wraparound import DeferredWraparound
from runtime.executors.numpy.numbers.integers import RANGES, wraps
from runtime.executors.numpy.numbers.intervals import (
    ANY,
    FAR,
    Interval,
    shifted_left,
    shifted_right,
)
from runtime.executors.numpy.numbers.number_op import RangeFacts
from runtime.executors.numpy.numbers.representation import LIMITS
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.node_traits import may_not_fit

# Rounds with exact bounds, and rounds after which the whole dtype is assumed.
_PATIENT, _MOST = 3, 12
_NARROWING = 2
# The nesting depth of regions beyond which the interval of the dtype is assumed.
_DEEPEST = 100
# Sizes of arrays are bounded by the memory.
_SIZE = Interval(0, 2**62)
_SIZES = frozenset(("size", "shape", "rank", "lengths_of_items", "list_length", "argmax", "argmin"))
# Ops whose results are elements of their first operand.
_ELEMENTS = frozenset(
    "broadcast_to concat ensure_shape expand_dims fill gather repeat reshape reverse slice sort "
    "split squeeze stack strided_slice tile transpose unstack".split()
)


class Ranges:
    """The ranges of the integers of a graph and of its regions.

    Args:
        graph: a graph; it must not change any more.
    """

    def __init__(self, graph: Graph) -> None:
        self._at: dict[int, Interval] = {}
        self._known: dict[int, RangeFacts] = {}
        self._varies = False
        self._depth = 0
        # For each loop, by the id of its body: the intervals of its variables.
        self._states: dict[int, list[Interval]] = {}
        self._round = 0
        self._settle(graph)
        self._loose = DeferredWraparound(graph, self.of, self._given)

    def of(self, tensor: SymbolicTensor) -> Interval:
        """Return the interval of an integer after wrapping to its dtype."""
        found = self._at.get(id(tensor))
        return _whole(tensor) if found is None else found

    def is_loose(self, tensor: SymbolicTensor) -> bool:
        """Return whether a number may be stored unwrapped, with only its low bits correct."""
        return self._loose.holds(tensor)

    def known(self, node: Node) -> RangeFacts:
        """Return the facts about the numbers of a node, in the form in which they are stored."""
        found = self._known.get(id(node))
        if found is None:
            self._known[id(node)] = found = self._looked_up(node)
        return found

    def _looked_up(self, node: Node) -> RangeFacts:
        operands = [ANY if self.is_loose(each) else self.of(each) for each in node.inputs]
        result = self._given(node, operands)
        return RangeFacts(operands, result, self.is_loose(node.outputs[0]))

    # -- rounds --------------------------------------------------------------------------------

    def _settle(self, graph: Graph) -> None:
        """Iterate over the graph to a fixpoint, then narrow bounds that were widened too far."""
        self._varies = True
        while self._varies:
            self._varies = False
            self._round += 1
            self._graph(graph)
        self._round = -_NARROWING
        while self._round < 0 and self._states:
            self._graph(graph)
            self._round += 1

    def _graph(self, graph: Graph) -> None:
        if self._depth > _DEEPEST:
            return
        self._depth += 1
        self._nodes(graph.nodes)
        self._depth -= 1

    def _nodes(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node.op.name == "while_loop":
                self._loop(node)
            elif node.op.name in ("cond", "switch_case"):
                self._choice(node)
            elif node.regions:
                for region in node.regions:
                    self._graph(region)
            else:
                self._plain(node)

    def _plain(self, node: Node) -> None:
        is_alike = len(node.outputs) == 1 or node.op.name in _ELEMENTS
        for tensor in node.outputs if is_alike else ():
            if tensor.dtype.is_integer:
                operands = [self.of(each) for each in node.inputs]
                self._at[id(tensor)] = self._in_dtype(node, tensor, self._given(node, operands))

    def _in_dtype(self, node: Node, tensor: SymbolicTensor, given: Interval) -> Interval:
        limits = LIMITS[tensor.dtype.name]
        if given.is_within(limits):
            return given
        kept = given.meet(Interval(*limits))
        return kept if may_not_fit(node) and kept is not None else Interval(*limits)

    def _given(self, node: Node, operands: Sequence[Interval]) -> Interval:
        """Return the interval of Python's result, for operands within their intervals."""
        tensor = node.outputs[0]
        if not tensor.dtype.is_integer:
            return ANY
        found = _computed(node, operands)
        if found is None:
            return _whole(tensor)
        # A kernel wraps its result itself.
        kept = wraps(node.op.name) or found.is_within(_whole(tensor).ends)
        return found if kept else _whole(tensor)

    # -- control flow --------------------------------------------------------------------------

    def _choice(self, node: Node) -> None:
        for position, region in enumerate(node.regions):
            known: Mapping[int, Interval] = {}
            if node.op.name == "cond":
                known = narrowed(node.inputs[0], position == 0, self.of)
            self._enter(region.inputs, node.inputs[1:], known)
            self._graph(region)
        for position, result in enumerate(node.outputs):
            self._put(result, _join(self.of(each.outputs[position]) for each in node.regions))

    def _loop(self, node: Node) -> None:
        test, body = node.regions
        state = self._moved(node)
        for parameter, interval in zip(test.parameters, state):
            self._put(parameter, interval)
        count = len(state)
        self._enter(test.inputs[count:], node.inputs[count:], {})
        self._graph(test)
        known = narrowed(test.outputs[0], True, self.of)
        self._enter(body.inputs, test.inputs, known)
        self._graph(body)
        left = narrowed(test.outputs[0], False, self.of)
        if node.attrs.get("maximum_iterations") is not None:
            left = {}
        self._enter(node.outputs, test.inputs[:count], left)

    def _moved(self, node: Node) -> list[Interval]:
        """Return the intervals of a loop's variables, joined with those after an iteration."""
        body = node.regions[1]
        first = [self.of(each) for each in node.inputs[: len(body.parameters)]]
        old = self._states.get(id(body))
        if old is None:
            new, self._varies = first, True
        else:
            turned = [self.of(each) for each in body.outputs]
            wanted = [one.join(other) for one, other in zip(first, turned)]
            new = list(map(self._step, body.parameters, old, wanted))
            self._varies = self._varies or new != old
        self._states[id(body)] = new
        return new

    def _step(self, tensor: SymbolicTensor, old: Interval, wanted: Interval) -> Interval:
        if self._round < 0:
            return old.meet(wanted) or old
        new, limits = old.join(wanted), _whole(tensor)
        if self._round <= _PATIENT or new == old:
            return new
        if self._round > _MOST:
            return limits
        low, high = new.low, new.high
        if low < old.low:
            low = max([each for each in (1, 0, -1) if each <= low], default=limits.low)
        return Interval(max(low, limits.low), high if high == old.high else limits.high)

    def _enter(
        self,
        inside: Iterable[SymbolicTensor],
        outside: Iterable[SymbolicTensor],
        known: Mapping[int, Interval],
    ) -> None:
        for inner, outer in zip(inside, outside, strict=True):
            self._put(inner, known.get(id(outer)) or self.of(outer))

    def _put(self, tensor: SymbolicTensor, interval: Interval) -> None:
        if tensor.dtype.is_integer:
            self._at[id(tensor)] = interval


def _whole(tensor: SymbolicTensor) -> Interval:
    """Return the interval of a number's dtype."""
    limits = LIMITS.get(tensor.dtype.name)
    return ANY if limits is None else Interval(*limits)


def _join(intervals: Iterable[Interval]) -> Interval:
    first, *rest = intervals
    for other in rest:
        first = first.join(other)
    return first


def _computed(node: Node, operands: Sequence[Interval]) -> Interval | None:
    """Return the interval of a node's result, None if it is unknown."""
    name = node.op.name
    if name in RANGES:
        return RANGES[name](*operands)
    if name in ("left_shift", "right_shift"):
        shift = shifted_left if name == "left_shift" else shifted_right
        return shift(operands[0], operands[1], 8 * node.outputs[0].dtype.size)
    if name == "constant":
        return _constant_interval(node.attrs["value"])
    if name in ("cast", "exact_cast"):
        return _cast_interval(node, operands[0])
    if name == "range":
        return _range_interval(*operands)
    if name in _SIZES:
        return _SIZE.meet(_whole(node.outputs[0]))
    if name in _ELEMENTS and node.inputs and node.inputs[0].dtype is node.outputs[0].dtype:
        alike = [each for each in node.inputs if each.dtype is node.outputs[0].dtype]
        return _join(operands[: len(alike)] if name in ("stack", "concat") else operands[:1])
    if name in ("zeros_like", "ones_like"):
        value = int(name == "ones_like")
        return Interval(value, value)
    return None


def _constant_interval(value: object) -> Interval | None:
    array = value.array if isinstance(value, ArrayValue) else None
    if array is None or not array.size or array.size > 1000:
        return None
    return Interval(int(array.min()), int(array.max()))


def _cast_interval(node: Node, operand: Interval) -> Interval | None:
    kind = node.inputs[0].dtype.kind
    if kind == "b":
        return Interval(0, 1)
    return operand if kind in "iu" else None


def _range_interval(start: Interval, limit: Interval, delta: Interval) -> Interval:
    if delta.low > 0:
        return Interval(start.low, max(start.high, limit.high - 1))
    if delta.high < 0:
        return Interval(min(start.low, limit.low + 1), start.high)
    return start.join(limit)


# -- ranges that follow from the condition of a branch: less(i, n) is true -> i <= max(n) - 1 ------


# The negation of each comparison, and the comparison with its sides exchanged.
_OPPOSITE = {
    "less": "greater_equal",
    "less_equal": "greater",
    "greater": "less_equal",
    "greater_equal": "less",
    "equal": "not_equal",
    "not_equal": "equal",
}
_TURNED = {
    "less": "greater",
    "less_equal": "greater_equal",
    "greater": "less",
    "greater_equal": "less_equal",
    "equal": "equal",
    "not_equal": "not_equal",
}
# The most comparisons of a condition that are used.
_MOST_COMPARISONS = 64

Where = Callable[[SymbolicTensor], Interval]


def narrowed(test: SymbolicTensor, holds: bool, where: Where) -> dict[int, Interval]:
    """Return the intervals of numbers, by id, that follow from a condition's value.

    Args:
        test: a scalar bool.
        holds: the value of the condition.
        where: the intervals of numbers without the condition.
    """
    found: dict[int, Interval] = {}

    def now(tensor: SymbolicTensor) -> Interval:
        return found.get(id(tensor)) or where(tensor)

    for name, x, y in _comparisons(test, holds):
        for left, comparison, right in ((x, name, y), (y, _TURNED[name], x)):
            rest = _limited(now(left), comparison, now(right))
            if rest is not None:
                _note(left, rest, found, now)
    return found


def _comparisons(
    test: SymbolicTensor, holds: bool
) -> Iterator[tuple[str, SymbolicTensor, SymbolicTensor]]:
    """Yield the integer comparisons that are known to be true."""
    waiting = [(test, holds)]
    for _ in range(_MOST_COMPARISONS):
        if not waiting:
            return
        tensor, holds = waiting.pop()
        node = tensor.node
        name = node.op.name
        if name in _OPPOSITE and node.inputs[0].dtype.is_integer:
            x, y = node.inputs
            yield (name if holds else _OPPOSITE[name]), x, y
        elif name == "logical_not":
            waiting.append((node.inputs[0], not holds))
        elif name == "identity" or name == ("logical_and" if holds else "logical_or"):
            waiting += [(each, holds) for each in node.inputs]


def _limited(x: Interval, comparison: str, y: Interval) -> Interval | None:
    """Return the values of x for which the comparison with y may hold; None if there are none."""
    if comparison == "not_equal":
        if y.low != y.high or x.low == x.high:
            return x
        low, high = x.low + (x.low == y.low), x.high - (x.high == y.high)
        return Interval(low, high, low <= 0 <= high and (x.without_zero or y.low == 0))
    if comparison == "equal":
        return x.meet(y)
    if comparison in ("less", "less_equal"):
        return x.meet(Interval(-FAR, y.high - (comparison == "less")))
    return x.meet(Interval(y.low + (comparison == "greater"), FAR))


def _note(tensor: SymbolicTensor, rest: Interval, found: dict[int, Interval], now: Where) -> None:
    """Record the interval of a number, and of the operand that it was computed from."""
    found[id(tensor)] = rest
    node = tensor.node
    if (
        node.op.name not in ("add", "subtract")
        or now(node.inputs[1]).low != now(node.inputs[1]).high
    ):
        return
    source, constant = now(node.inputs[0]), now(node.inputs[1])
    computed = source + constant if node.op.name == "add" else source - constant
    if not computed.is_within((tensor.dtype.min, tensor.dtype.max)):
        return  # The number may have wrapped around.
    before = source.meet(rest - constant if node.op.name == "add" else rest + constant)
    if before is not None:
        found[id(node.inputs[0])] = before
