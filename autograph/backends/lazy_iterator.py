"""The base class of lazy filters, which define how loops and builtins consume them."""

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
    """A lazy iterator that drops items by conditions, which may be values of a backend.

    It is a subclass of `filter`, so that its source, and the progress there, can be found.

    Attributes:
        like: an iterator of the type that the user's code expects.
        is_free: whether its items may be computed ahead of time: it ends, and they have no effects.
        operands: the values that its items are computed from.
        functions: the user's functions that compute its items.
    """

    like: Any
    is_free = False
    operands: tuple[Any, ...] = ()
    functions: tuple[Callable[..., object], ...] = ()

    @abstractmethod
    def for_each(
        self,
        goes_on: Callable[[], object] | None,
        body: Callable[[object], None],
        state: State,
    ) -> None:
        """Run `body(item)` for each remaining item, while `goes_on()` holds."""

    @abstractmethod
    def listed(self, most: int | None = None) -> list[Any]:
        """Return the remaining items, or at most `most`; no more are taken."""

    @abstractmethod
    def decided(self, by: bool) -> object:
        """Return `any` of the remaining items for `by` True, else `all` of them."""

    @abstractmethod
    def holds(self, test: Callable[[object], object]) -> object:
        """Return whether an item passes the test; the items after the first such item remain."""

    @abstractmethod
    def next_or(self, *default: Any) -> object:
        """Return the next item, else the default; StopIteration if there is no default."""

    @abstractmethod
    def lazy_builtin(
        self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> object | None:
        """Return the lazy iterator that a builtin makes of this one; None for other builtins."""

    def refuse_staged_rest(self) -> None:
        """Raise a StagingError if only the graph knows the remaining items."""

    def mark_rest_staged(self) -> None:
        """Mark the remaining items as known only to the graph: a path consumes a copy."""

    def copied(self) -> LazyIterator:
        """Return an iterator with the items that remained before `mark_rest_staged`."""
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
            name: the backends' name of the builtin.
            args: its arguments.
            kwargs: its keyword arguments.
            again: calls the builtin with other arguments; None for Python's own.
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
        made = self.lazy_builtin(name, args, kwargs)
        return python(*args, **kwargs) if made is None else made


def _listed(value: object) -> object:
    return value.listed() if isinstance(value, LazyIterator) else value
