"""Possibly unbound: a variable, item or attribute that has a value on some paths only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, NoReturn

from autograph.backends.attribute_fallback import AttributeFallback
from autograph.backends.undefined import Undefined
from autograph.errors import UndefinedBranchError

Absent = Literal["none", "undefined"]


class PossiblyUnbound(Undefined):
    """A value that exists only if a flag is true at run time.

    Attributes:
        name: the user's variable.
        defined: a scalar bool tensor (or a Python bool): whether there is a value.
        value: the value, a structure of tensors; zeros where there is none.
        absent: the value on the other paths: `"undefined"` (unbound) or `"none"` (None).
        missing: the class and the argument of Python's exception for a missing value, if this is
            not a variable.
        fallback: the code of the user's that computes a value in its place, if there is any.
    """

    __slots__ = ("defined", "value", "absent", "missing", "fallback", "_guard")
    # Records the choice between the value and the result of the user's fallback.
    choose: ClassVar[Callable[[PossiblyUnbound, AttributeFallback], object]]

    def __init__(
        self,
        name: str,
        defined: Any,
        value: object,
        absent: Absent,
        guard: Callable[[PossiblyUnbound], None],
    ) -> None:
        super().__init__(name)
        self.defined = defined
        self.value = value
        self.absent: Absent = absent
        self.missing: tuple[type[Exception], Any] | None = None
        self.fallback: AttributeFallback | None = None
        self._guard = guard

    def with_value(self, value: object) -> PossiblyUnbound:
        """Return a copy with another value."""
        like = PossiblyUnbound(self.name, self.defined, value, self.absent, self._guard)
        like.missing, like.fallback = self.missing, self.fallback
        return like

    def as_item(self, key: object) -> PossiblyUnbound:
        """Return a copy for an item of a dict, in `vars()` and `locals()`: a miss is a KeyError."""
        item = self.with_value(self.value)
        item.missing, item.fallback = (KeyError, key), None
        return item

    def read(self) -> object:
        """Return the value, after recording a check that it is present on the path.

        If there is a fallback, a choice is recorded in place of the check.
        """
        if self.fallback is not None:
            return PossiblyUnbound.choose(self, self.fallback)
        self._guard(self)
        return self.value

    def is_present(self) -> object:
        """Return whether a read gives a value, and no AttributeError."""
        if self.fallback is None:
            return self.defined
        if self.fallback.is_cached:
            return True
        there = self.with_value(True)
        return PossiblyUnbound.choose(there, self.fallback.with_default(lambda value: True, False))

    def read_or(self, default: object) -> object:
        """Return the value, or that of the fallback, else `default`; only with `fallback`."""
        assert self.fallback is not None
        if self.fallback.is_cached:
            return self.read()
        return PossiblyUnbound.choose(
            self, self.fallback.with_default(lambda value: value, default)
        )

    def refuse(self, *others: object) -> NoReturn:
        """Raise UndefinedBranchError: only a run knows whether there is a value.

        Every use by Python itself ends here, except `is`.
        """
        raise UndefinedBranchError(
            f"{self.name} may be unbound here: give it a value on every path"
        )

    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __call__ = refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = refuse
    __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = refuse
    __matmul__ = __rmatmul__ = __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = refuse
    __neg__ = __pos__ = __abs__ = __invert__ = __int__ = __float__ = __index__ = refuse
    __str__ = __format__ = refuse
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<maybe {self.name}: {self.value!r}>"
