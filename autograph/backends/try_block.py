"""A `try` statement as its parts, and its execution in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Body = Callable[[], object]


class Handler(NamedTuple):
    """An `except` clause.

    Attributes:
        kinds: returns the class, or tuple of classes, that it catches; None for a bare `except:`.
        body: its statements: a function, which takes the exception if the clause names it.
        name: the variable of the exception; None without one.
    """

    kinds: Callable[[], object] | None
    body: Callable[..., object]
    name: str | None = None

    def catches(self, error: BaseException) -> bool:
        """Return whether the clause catches an exception, as Python decides."""
        return self.kinds is None or is_caught_by(type(error), self.kinds())

    def run(self, error: BaseException) -> None:
        """Run its statements."""
        if self.name is None:
            self.body()
        else:
            self.body(error)


@dataclass(eq=False, repr=False)
class TryBlock:
    """A `try` statement.

    Attributes:
        body: the statements under `try`.
        handlers: its clauses, in order.
        orelse, final: the other parts, if there are any.
        flags: the variables that are flags of jumps, which an exception resets.
    """

    body: Body
    handlers: Sequence[Handler]
    orelse: Body | None = None
    final: Body | None = None
    flags: frozenset[str] = frozenset()

    def handler_of(self, error: BaseException) -> Handler | None:
        """Return the first clause that catches an exception."""
        return next((each for each in self.handlers if each.catches(error)), None)

    def run(self) -> None:
        """Execute the statement in Python.

        >>> clause = Handler(lambda: ZeroDivisionError, lambda error: print("no:", error), "e")
        >>> TryBlock(lambda: 1 / 0, [clause], final=lambda: print("done")).run()
        no: division by zero
        done
        """
        try:
            self.guarded()
        finally:
            if self.final is not None:
                self.final()

    def guarded(self) -> None:
        """Execute all parts except the `finally`."""
        try:
            self.body()
        except BaseException as error:
            handler = self.handler_of(error)
            if handler is None:
                raise
            handler.run(error)
        else:
            if self.orelse is not None:
                self.orelse()


def is_caught_by(kind: type[BaseException], wanted: object) -> bool:
    """Return whether `except wanted:` catches exceptions of a class.

    Raises:
        TypeError: `wanted` is not an exception class or a tuple of them.

    >>> is_caught_by(KeyError, (OSError, LookupError))
    True
    """
    classes = wanted if isinstance(wanted, tuple) else (wanted,)
    if not all(isinstance(each, type) and issubclass(each, BaseException) for each in classes):
        raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    return any(each in type.mro(kind) for each in classes)
