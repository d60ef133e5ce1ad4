"""`a if c else b` and `assert` as generated code calls them."""

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


class Asserts:
    """The assert statement."""

    def __init__(self, backends: Backends) -> None:
        self._of = backends.of
        self._asked = SpecialMethods(backends).asked

    def assert_stmt(self, test: object, message: Thunk | None) -> None:
        """Raise AssertionError if `test` does not hold; the message is made only then."""
        test = self._asked(test)
        backend = self._of(test)
        if backend is not None:
            backend.assert_(test, message)
        elif not test:
            raise AssertionError if message is None else AssertionError(message())
