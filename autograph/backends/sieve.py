"""What is an iterator to Python, and says itself what loops and builtins make of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograph.operators.state import State


class Sieve(filter):
    """An iterator of which a value of a backend may say what it leaves out.

    To Python it is a `filter`, which shows how far it has come in what it goes over.
    """

    @abstractmethod
    def go_over(
        self,
        goes_on: Callable[[], object] | None,
        body: Callable[[object], None],
        state: State,
    ) -> None:
        """Run `body(item)` for each item that is left, while `goes_on()` holds."""

    @abstractmethod
    def builtin(
        self,
        name: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        again: Callable[..., object] | None,
    ) -> object:
        """Return what a builtin gives where this is an argument.

        Args:
            name: what backends call the builtin.
            args: its arguments.
            kwargs: those by name.
            again: gives what the builtin gives for other arguments, None for Python's own.
        """

    @abstractmethod
    def listed(self) -> list[Any]:
        """Return the items that are left."""
