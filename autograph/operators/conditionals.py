"""`a if c else b` as generated code calls it."""

from __future__ import annotations

from autograph.backends.protocol import Backends, Thunk
from autograph.operators.special_methods import SpecialMethods


class Conditionals:
    """The conditional expression."""

    def __init__(self, backends: Backends) -> None:
        self._of = backends.of
        self._asked = SpecialMethods(backends).asked

    def if_exp(self, test: object, then: Thunk, orelse: Thunk, text: str) -> object:
        """Return `then()` if `test` holds, else `orelse()`; `text` is the test as written."""
        test = self._asked(test)
        backend = self._of(test)
        if backend is not None:
            return backend.select(test, then, orelse, text)
        return then() if test else orelse()
