"""A variable that has a value on some paths of staged code only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from autograph.backends.undefined import Undefined

Absent = Literal["none", "undefined"]


class Maybe(Undefined):
    """A value that is there only if a flag is true when the graph runs.

    Attributes:
        name: the user's variable.
        defined: a scalar bool tensor (or a Python bool): whether there is a value.
        value: the value, a structure of tensors; zeros where there is none.
        absent: what the variable holds otherwise: `"undefined"` (unbound) or `"none"` (None).
    """

    __slots__ = ("defined", "value", "absent", "_guard")

    def __init__(
        self,
        name: str,
        defined: object,
        value: object,
        absent: Absent,
        guard: Callable[[Maybe], None],
    ) -> None:
        super().__init__(name)
        self.defined = defined
        self.value = value
        self.absent: Absent = absent
        self._guard = guard

    def read(self) -> object:
        """Return the value, after recording a check that it is there on the path taken."""
        self._guard(self)
        return self.value

    def with_parts(self, defined: object, value: object) -> Maybe:
        """Return the same variable with another flag and value."""
        return Maybe(self.name, defined, value, self.absent, self._guard)

    def __repr__(self) -> str:
        return f"<maybe {self.name}: {self.value!r}>"
