"""Object identity for joins: functions that are defined repeatedly alike count as one object."""

from __future__ import annotations

from types import FunctionType, MethodType


def identity(value: object) -> object:
    """Return the identity of an object: for a function, that of its code, variables and defaults.

    A function is a new object each time its definition runs. Two of them act alike if they share
    code, variables and defaults; only `is` tells them apart.

    >>> def made(k):
    ...     return lambda u: u + k
    >>> first, second = made(1000), made(2000)
    >>> identity(first) == identity(second)
    False
    >>> first, second = [(lambda u: u) for _ in range(2)]
    >>> identity(first) == identity(second)
    True
    """
    if type(value) is MethodType:
        return identity(value.__func__), id(value.__self__)
    if type(value) is not FunctionType or vars(value):
        return id(value)
    defaults = (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
    reached = (value.__code__, value.__globals__, *(value.__closure__ or ()), *defaults)
    return (FunctionType, *map(id, reached))
