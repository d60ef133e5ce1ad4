"""The operators for `if`, `while`, `for`, conditional expressions and `assert`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from autograph.backends.protocol import Backends, Thunk
from autograph.operators.iteration import user_iterator
from autograph.operators.special_methods import SpecialMethodOperators
from autograph.operators.state import GetState, Names, SetState, state_of

_NO_ITEM = object()
# The iterations of a `while True` after which the rest becomes a loop of the graph if it can: an
# exception alone ends it, and a run may raise it.
_MANY = 16


class ControlFlowOperators:
    """The operators for `if`, `while` and `for`.

    Python executes a statement if no backend owns its test or iterable.
    """

    def __init__(self, backends: Backends) -> None:
        self._of, self._recording = backends.of, backends.recording
        special = SpecialMethodOperators(backends)
        self._truth_value, self._iterable = special.truth_value, special.iterable

    def if_stmt(
        self,
        test: object,
        body: Callable[[], None],
        orelse: Callable[[], None],
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        nouts: int,
    ) -> None:
        """Run `body()` if `test` holds, else `orelse()`."""
        if test is True:
            body()
        elif test is False:
            orelse()
        elif (backend := self._of(test := self._truth_value(test))) is not None:
            state = state_of(get_state, set_state, symbol_names, nouts)
            backend.cond(test, body, orelse, state)
        elif test:
            body()
        else:
            orelse()

    def truth(self, test: object) -> object:
        """Return the value whose truth Python tests in a statement that is not staged."""
        test = self._truth_value(test)
        backend = self._of(test)
        return test if backend is None else backend.call("bool", (test,), {})

    def while_stmt(
        self,
        test: Callable[[], object],
        body: Callable[[], None],
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        opts: Mapping[str, object],
    ) -> None:
        """Run `body()` while `test()` holds."""
        self.while_rest(
            self._truth_value(test()), test, body, get_state, set_state, symbol_names, opts
        )

    def while_rest(
        self,
        proceed: object,
        test: Callable[[], object],
        body: Callable[[], None],
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        opts: Mapping[str, object],
    ) -> None:
        """Continue a loop whose test gave `proceed`.

        If the test is a Python value first and a tensor later, the iterations before that run in
        Python, and the loop is staged from there.
        """
        count = 0
        while True:
            if proceed is not True:
                backend = self._of(proceed)
                if backend is not None:
                    state = state_of(get_state, set_state, symbol_names, len(symbol_names))
                    return backend.while_loop(test, body, state, opts, proceed)
                if not proceed:
                    return None
            body()
            count += 1
            if count == _MANY and _is_constant(test) and (backend := self._recording()) is not None:
                state = state_of(get_state, set_state, symbol_names, len(symbol_names))
                if backend.call("endless_while", (test, body, state, opts), {}):
                    return None
            proceed = self._truth_value(test())

    def for_stmt(
        self,
        iterated: Iterable[object],
        extra_test: Thunk | None,
        body: Callable[[object], None],
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        opts: Mapping[str, object],
    ) -> None:
        """Run `body(item)` for each item; stop after one that makes `extra_test()` false."""
        iterated = self._iterable(iterated)
        backend = self._of(iterated)
        if backend is not None:
            state = state_of(get_state, set_state, symbol_names, len(symbol_names))
            return backend.for_loop(iterated, extra_test, body, state, opts)
        if extra_test is None:
            for item in iterated:
                body(item)
            return None
        items = iter(iterated)
        self.for_rest(True, items, extra_test, body, get_state, set_state, symbol_names, opts)
        return None

    def for_rest(
        self,
        proceed: object,
        items: Iterator[object],
        extra_test: Thunk,
        body: Callable[[object], None],
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        opts: Mapping[str, object],
    ) -> None:
        """Continue a loop over Python's `items` whose extra test gave `proceed`."""
        while True:
            if proceed is not True:
                backend = self._of(proceed)
                if backend is not None:
                    state = state_of(get_state, set_state, symbol_names, len(symbol_names))
                    return backend.for_rest(proceed, user_iterator(items), extra_test, body, state)
                if not proceed:
                    return None
            item = next(items, _NO_ITEM)
            if item is _NO_ITEM:
                return None
            body(item)
            proceed = extra_test()


def _is_constant(test: Callable[[], object]) -> bool:
    """Return whether the test of a loop has no variables: no `break` or `return` ends the loop."""
    code = test.__code__
    return not (code.co_names or code.co_freevars)


# -- conditionals ----------------------------------------------------------------------------------


class ConditionalOperators:
    """The operator for conditional expressions."""

    def __init__(self, backends: Backends) -> None:
        self._of = backends.of
        self._truth_value = SpecialMethodOperators(backends).truth_value

    def if_exp(self, test: object, then: Thunk, orelse: Thunk, text: str) -> object:
        """Return `then()` if `test` holds, else `orelse()`; `text` is the test as written."""
        test = self._truth_value(test)
        backend = self._of(test)
        if backend is not None:
            return backend.select(test, then, orelse, text)
        return then() if test else orelse()


class AssertOperators:
    """The operator for `assert`."""

    def __init__(self, backends: Backends) -> None:
        self._of = backends.of
        self._truth_value = SpecialMethodOperators(backends).truth_value

    def assert_stmt(self, test: object, message: Thunk | None) -> None:
        """Raise AssertionError if `test` does not hold; only then is the message computed."""
        test = self._truth_value(test)
        backend = self._of(test)
        if backend is not None:
            backend.call("assert", (test, message), {})
        elif not test:
            raise AssertionError if message is None else AssertionError(message())
