"""A `with` statement as its parts, and its execution in Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(eq=False, repr=False)
class WithBlock:
    """A `with` statement of one context manager.

    Attributes:
        manager: the context manager.
        body: its statements.
        takes: whether the body takes the result of `__enter__`.
        flags: the variables that are flags of jumps, which an exception resets.
        refused: the reason why `__exit__` cannot see run-time exceptions; empty if it can.
        clean: removes the frames of this package from the traceback that `__exit__` is given.
    """

    manager: Any
    body: Callable[..., object]
    takes: bool = False
    flags: frozenset[str] = frozenset()
    refused: str = ""
    clean: Callable[[BaseException], object] = lambda error: None

    def run(self) -> None:
        """Execute the statement in Python.

        >>> import contextlib
        >>> WithBlock(contextlib.nullcontext(3), print, takes=True).run()
        3
        """
        with self.manager as value:
            try:
                self.inside(value)
            except BaseException as error:
                self.clean(error)
                raise

    def inside(self, value: object) -> None:
        """Run the body with the value that the context manager returned."""
        if self.takes:
            self.body(value)
        else:
            self.body()
