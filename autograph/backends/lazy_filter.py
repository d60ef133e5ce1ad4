"""An iterator that defines itself how loops and builtins consume it."""

from __future__ import annotations

import builtins
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograph.operators.state import State

# Builtins that use up an iterator as they would a list of the same items.
_USING_UP = frozenset(
    "dict frozenset list math.fsum math.prod max min reduce set sorted sum tuple".split()
)


class LazyIterator(filter):
    """A lazy iterator whose filter may be a value of a backend.

    To Python it is a `filter`, which shows how far it has come in what it iterates over.

    Attributes:
        like: an iterator of the type that the user's code takes this for.
        is_free: whether its items may be made ahead of their time: it ends, and making them does
            nothing else.
        given: what is known of the values that it makes its items of.
        functions: the user's functions that make its items.
    """

    like: Any
    is_free = False
    given: tuple[Any, ...] = ()
    functions: tuple[Callable[..., object], ...] = ()

    @abstractmethod
    def go_over(
        self,
        goes_on: Callable[[], object] | None,
        body: Callable[[object], None],
        state: State,
    ) -> None:
        """Run `body(item)` for each item that is left, while `goes_on()` holds."""

    @abstractmethod
    def listed(self, most: int | None = None) -> list[Any]:
        """Return the items that are left, or so many of them; no more are taken."""

    @abstractmethod
    def decided(self, by: bool) -> object:
        """Return whether any item is true, for `by`, or all are."""

    @abstractmethod
    def holds(self, test: Callable[[object], object]) -> object:
        """Return whether the test is true of any item; those after that one are left."""

    @abstractmethod
    def next_or(self, *default: Any) -> object:
        """Return the next item, the default if there is none; without one, raise StopIteration."""

    @abstractmethod
    def standing_in(
        self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> object | None:
        """Return the stand-in for the iterator that a builtin makes of this one, if any."""

    def refuse_left(self) -> None:
        """Raise a StagingError if only the graph knows what is left in it."""

    def leave(self) -> None:
        """Have only the graph know what is left: on some paths a copy is gone over."""

    def copied(self) -> LazyIterator:
        """Return one with the items that were left before `leave`."""
        return self

    def builtin(
        self,
        name: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        again: Callable[..., object] | None,
    ) -> object:
        """Return the result of a builtin with this as an argument.

        Args:
            name: what backends call the builtin.
            args: its arguments.
            kwargs: those by name.
            again: gives what the builtin gives for other arguments, None for Python's own.
        """
        python: Any = getattr(builtins, name, None) or again
        if name in _USING_UP:
            return (again or python)(*map(_listed, args), **kwargs)
        if name in ("any", "all"):
            return self.decided(name == "any")
        if name == "next":
            return self.next_or(*args[1:])
        if name == "type" and len(args) == 1:
            return type(self.like)
        if name == "isinstance":
            return isinstance(self.like, args[1])
        if name == "len":
            raise TypeError(f"object of type '{type(self.like).__name__}' has no len()")
        made = self.standing_in(name, args, kwargs)
        return python(*args, **kwargs) if made is None else made


def _listed(value: object) -> object:
    return value.listed() if isinstance(value, LazyIterator) else value
