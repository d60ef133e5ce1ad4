"""The random number algorithms that programs may name; only Philox is supported."""

from __future__ import annotations

import enum
from typing import Any

from runtime.errors import ArgumentValueError, DTypeError, UnimplementedError


class Algorithm(enum.Enum):
    """Random number algorithms; AUTO_SELECT is Philox here, THREEFRY is not supported.

    >>> Algorithm.PHILOX.name, Algorithm.AUTO_SELECT.name
    ('PHILOX', 'AUTO_SELECT')
    """

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


def check_philox(alg: Any) -> int:
    """Return the number of an algorithm given by name, number or Algorithm.

    Raises:
        ArgumentValueError: there is no such algorithm.
        UnimplementedError: it is ThreeFry.
        DTypeError: the argument is of another type.

    >>> check_philox("philox"), check_philox(Algorithm.AUTO_SELECT)
    (1, 3)
    """
    found = _named(alg)
    if found is Algorithm.THREEFRY:
        raise UnimplementedError("ThreeFry is not supported: write alg='philox'")
    return found.value


def _named(alg: Any) -> Algorithm:
    if isinstance(alg, Algorithm):
        return alg
    if not isinstance(alg, (str, int)):
        raise DTypeError(f"alg must be a name such as 'philox', not {alg!r}")
    word = str(alg).strip().lower().replace("-", "").replace("_", "")
    for each in Algorithm:
        if word in (str(each.value), each.name.lower().replace("_", "")):
            return each
    raise ArgumentValueError(f"there is no algorithm {alg!r}: write alg='philox'")
