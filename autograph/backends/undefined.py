"""Placeholders for a missing value: not bound yet, not returned yet, or stored elsewhere."""

from __future__ import annotations

import sys


class Placeholder:
    """A placeholder in the state of a statement, which is no value of the program."""

    __slots__ = ()


class Undefined(Placeholder):
    """A local variable that has not been bound, or was deleted.

    Generated code stores one in a variable so that closures can pass the variable around; reading
    it through `ag__.ld` raises what Python raises.

    >>> Undefined("y").read()
    Traceback (most recent call last):
    ...
    UnboundLocalError: cannot access local variable 'y' where it is not associated with a value
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self) -> object:
        """Raise the UnboundLocalError that Python itself raises for this variable."""
        raise UnboundLocalError(unbound_message(self.name))

    def __repr__(self) -> str:
        return f"<undefined {self.name}>"


class UndefinedReturnValue(Placeholder):
    """The value of a function that has not returned yet; it becomes None if it never does."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<no return value yet>"


class StoredElsewhere(Placeholder):
    """The value of a slot without storage: an assignment to `o.v` or `d['k']` runs user code.

    Changes by that code are detected by watching; the place itself is neither read nor written.

    Attributes:
        owners: the object, and a descriptor in its class, which may store values as well.
        functions: the user's functions that the assignment calls.
    """

    __slots__ = ("owners", "functions")

    def __init__(self, owners: tuple[object, ...], functions: tuple[object, ...]) -> None:
        self.owners = owners
        self.functions = functions

    def __repr__(self) -> str:
        return "<assigned by code>"


def unbound_message(name: str) -> str:
    """Return the running Python's message for a read of an unbound local variable."""
    if sys.version_info >= (3, 11):
        return f"cannot access local variable '{name}' where it is not associated with a value"
    return f"local variable '{name}' referenced before assignment"


def free_message(name: str) -> str:
    """Return the running Python's message for a read of an unbound free variable."""
    if sys.version_info >= (3, 11):
        where = "where it is not associated with a value in enclosing scope"
        return f"cannot access free variable '{name}' {where}"
    return f"free variable '{name}' referenced before assignment in enclosing scope"
