"""Interval arithmetic for integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

# Larger than any integer that a program may compute.
FAR = 1 << 320


@dataclass
class Interval:
    """The integers from `low` to `high`, both included, perhaps without 0.

    Example:
        >>> Interval(1, 3) + Interval(10, 20)
        Interval(low=11, high=23)
        >>> Interval(-2, 300).beyond((0, 255), (0, 255))
        '{name} > 255 or {name} < 0'
    """

    low: int
    high: int
    without_zero: bool = field(default=False, repr=False)

    @property
    def ends(self) -> tuple[int, int]:
        """The lowest and the highest integer."""
        return self.low, self.high

    def __contains__(self, number: int) -> bool:
        return self.low <= number <= self.high and not (self.without_zero and number == 0)

    def is_within(self, limits: Iterable[int]) -> bool:
        """Return whether all integers are within `limits`."""
        low, high = limits
        return low <= self.low and self.high <= high

    def beyond(self, limits: tuple[int, int], asked: tuple[int, int]) -> str:
        """Return a test of `{name}` that is true for all integers outside of `limits`.

        It compares with the bounds `asked`, which lie within `limits`.
        """
        tests = [f"{{name}} > {asked[1]}"] if self.high > limits[1] else []
        tests += [f"{{name}} < {asked[0]}"] if self.low < limits[0] else []
        return " or ".join(tests)

    def join(self, other: Interval) -> Interval:
        """Return the smallest interval that contains both."""
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Interval(low, high, low <= 0 <= high and 0 not in self and 0 not in other)

    def meet(self, other: Interval) -> Interval | None:
        """Return the intersection of two intervals, None if it is empty."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        without = low <= 0 <= high and (self.without_zero or other.without_zero)
        return Interval(low, high, without) if low <= high else None

    def __add__(self, other: Interval) -> Interval:
        return _of(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return _of(self.low - other.high, self.high - other.low)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __mul__(self, other: Interval) -> Interval:
        return corners(self, other, lambda x, y: x * y)

    def __abs__(self) -> Interval:
        if self.low >= 0:
            return self
        return Interval(0 if self.high >= 0 else -self.high, max(-self.low, self.high))


ANY = Interval(-FAR, FAR)


def _of(low: int, high: int) -> Interval:
    return Interval(max(low, -FAR), min(high, FAR))


def corners(x: Interval, y: Interval, compute: Callable[[int, int], int]) -> Interval:
    """Return the interval of an operator whose extremes are at the bounds of its operands.

    >>> corners(Interval(-2, 3), Interval(4, 5), lambda x, y: x * y)
    Interval(low=-10, high=15)
    """
    found = [compute(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
    return _of(min(found), max(found))


def _parts(divisor: Interval) -> list[Interval]:
    """Return the parts of the divisor below and above 0, since a division by 0 has no result."""
    halves = (divisor.meet(Interval(-FAR, -1)), divisor.meet(Interval(1, FAR)))
    return [half for half in halves if half is not None]


def floor_divided(x: Interval, y: Interval) -> Interval:
    """Return the interval of x // y.

    >>> floor_divided(Interval(-7, 9), Interval(2, 4))
    Interval(low=-4, high=4)
    """
    return _joined([corners(x, part, lambda a, b: a // b) for part in _parts(y)])


def truncate_divided(x: Interval, y: Interval) -> Interval:
    """Return the interval of x / y, rounded towards 0.

    >>> truncate_divided(Interval(-7, 9), Interval(2, 4))
    Interval(low=-3, high=4)
    """
    return _joined([corners(x, part, _truncated) for part in _parts(y)])


def _truncated(x: int, y: int) -> int:
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def floor_remainder(x: Interval, y: Interval) -> Interval:
    """Return the interval of x % y, which has the sign of y.

    >>> floor_remainder(Interval(-7, 9), Interval(2, 4))
    Interval(low=0, high=3)
    """
    if x.low >= 0 and y.low > x.high:
        return x
    high = min(y.high - 1, x.high) if x.low >= 0 and y.low >= 0 else y.high - 1
    low = max(y.low + 1, x.low) if x.high <= 0 and y.high <= 0 else y.low + 1
    return Interval(min(low, 0), max(high, 0))


def truncate_remainder(x: Interval, y: Interval) -> Interval:
    """Return the interval of the remainder that has the sign of x.

    >>> truncate_remainder(Interval(-7, 9), Interval(2, 4))
    Interval(low=-3, high=3)
    """
    most = max(abs(y).high - 1, 0)
    return Interval(max(min(x.low, 0), -most), min(max(x.high, 0), most))


def _joined(parts: list[Interval]) -> Interval:
    if not parts:
        return Interval(0, 0)
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.join(part)
    return whole


def shifted_left(x: Interval, y: Interval, bits: int) -> Interval:
    """Return the interval of x << y, with y clipped to the shift counts of `bits` bits.

    >>> shifted_left(Interval(-1, 3), Interval(2, 99), 8)
    Interval(low=-128, high=384)
    """
    return corners(x, places(y, bits), lambda a, b: a << b)


def shifted_right(x: Interval, y: Interval, bits: int) -> Interval:
    """Return the interval of x >> y, with y clipped to the shift counts of `bits` bits.

    >>> shifted_right(Interval(-9, 9), Interval(1, 2), 8)
    Interval(low=-5, high=4)
    """
    return corners(x, places(y, bits), lambda a, b: a >> b)


def places(y: Interval, bits: int) -> Interval:
    """Return the interval of the shift counts of a number of `bits` bits.

    >>> places(Interval(-5, 100), 32)
    Interval(low=0, high=31)
    """
    low, high = (min(max(end, 0), bits - 1) for end in y.ends)
    return Interval(low, high)


def both_bits(x: Interval, y: Interval) -> Interval:
    """Return the interval of x & y.

    >>> both_bits(Interval(-9, 9), Interval(0, 5))
    Interval(low=0, high=5)
    """
    highs = [each.high for each in (x, y) if each.low >= 0]
    return Interval(0, min(highs)) if highs else _as_wide(x, y)


def any_bits(x: Interval, y: Interval) -> Interval:
    """Return the interval of x | y and x ^ y.

    >>> any_bits(Interval(0, 9), Interval(0, 5))
    Interval(low=0, high=15)
    """
    wide = _as_wide(x, y)
    return wide if min(x.low, y.low) < 0 else Interval(0, wide.high)


def _as_wide(x: Interval, y: Interval) -> Interval:
    # In two's complement, -8 takes as many bits as 7.
    bits = max(max(end, ~end).bit_length() for each in (x, y) for end in each.ends)
    return Interval(-(1 << bits), (1 << bits) - 1)


def power(x: Interval, y: Interval) -> Interval:
    """Return the interval of x ** y, for y of at least 0.

    >>> power(Interval(-3, 2), Interval(2, 2))
    Interval(low=-9, high=9)
    """
    exponent, base = max(y.high, 0), max(abs(x).high, 1)
    if exponent * base.bit_length() > 300:
        return ANY
    most = base**exponent
    return Interval(0 if x.low >= 0 else -most, most)
