"""Derives ranges of integers from the condition of a branch.

less(i, n) is true     ->   i <= max(n) - 1, n >= min(i) + 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from runtime.core.tensor import SymbolicTensor
from runtime.executors.numpy.numbers.intervals import FAR, Interval

# The comparison that holds where another one does not, and the one with its sides exchanged.
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
# For how many comparisons of one condition it is looked what they say.
_MOST = 64

Where = Callable[[SymbolicTensor], Interval]


def narrowed(test: SymbolicTensor, holds: bool, where: Where) -> dict[int, Interval]:
    """Return the intervals of numbers, by their id, if a condition holds, or if it does not.

    Args:
        test: a scalar bool.
        holds: whether it is true.
        where: where numbers lie if nothing is known of the condition.
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
    """Yield comparisons of whole numbers that hold."""
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
    """Return the rest of x if the comparison with y holds, None for nothing at all."""
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
    """Note where a number lies, and what it was computed from with a constant."""
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
        return  # It may have been wrapped.
    before = source.meet(rest - constant if node.op.name == "add" else rest + constant)
    if before is not None:
        found[id(node.inputs[0])] = before
