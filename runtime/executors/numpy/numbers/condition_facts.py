"""Derives ranges of integers from the condition of a branch.

less(i, n) is true     ->   i <= max(n) - 1, n >= min(i) + 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from runtime.core.tensor import SymbolicTensor
from runtime.executors.numpy.numbers.intervals import FAR, Interval

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
_MOST = 64

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
    for _ in range(_MOST):
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
