"""The value of `and` or `or` with operands that cannot be joined: only its truth is usable."""

from __future__ import annotations

from typing import Any, NoReturn

import runtime as rt
from autograph.errors import StagingError


class UnjoinableValue:
    """One of two values that cannot be joined, such as a list and a bool.

    `if items and n > 2:` needs only its truth.

    Attributes:
        truth: a scalar bool tensor: whether the value is true.
        error: the error that any other use raises.
    """

    __slots__ = ("truth", "error")

    def __init__(self, truth: rt.Tensor, error: StagingError) -> None:
        self.truth, self.error = truth, error

    def refuse(self, *others: object, **named: object) -> NoReturn:
        """Raise the error: the code uses the value itself."""
        raise self.error

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        raise self.error

    __rt_tensor__ = __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __call__ = refuse
    __setitem__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = refuse
    __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = refuse
    __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = refuse
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __neg__ = __abs__ = refuse
    __invert__ = __int__ = __float__ = __index__ = __str__ = __format__ = refuse
    __eq__ = __ne__ = refuse
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<one of two values>"
