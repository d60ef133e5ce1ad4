"""`match` as generated code calls it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from autograph.backends.protocol import Backends, Thunk
from autograph.operators.chunking import chunks_of
from autograph.operators.patterns import AsPattern, Matcher, MatchResult, Pattern
from autograph.operators.state import GetState, Names, SetState, State, state_of


class MatchCase(NamedTuple):
    """One case of a `match`.

    Attributes:
        pattern: its pattern.
        guard: returns the value of the guard; takes the captures, if there are any. None if there
            is no guard.
        body: runs the body; takes the captures, if there are any and there is no guard.
    """

    pattern: Pattern
    guard: Callable[..., object] | None
    body: Callable[..., None]


class Matches:
    """The match statement.

    Args:
        backends: the possible owners of compared values and guards.
    """

    def __init__(self, backends: Backends) -> None:
        self._of = backends.of
        self._matcher = Matcher(backends)

    def match_stmt(
        self,
        subject: object,
        cases: Sequence[MatchCase],
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        nouts: int,
    ) -> None:
        """Run the body of the first case whose pattern matches and whose guard holds."""
        state = state_of(get_state, set_state, symbol_names, nouts)
        first, *others = chunks_of(tuple(cases))
        if others:
            self._runs(subject, [first, *others], state)
        else:
            self._cases(subject, first, state)

    def _runs(self, subject: object, runs: list[tuple[MatchCase, ...]], state: State) -> None:
        """Try the cases in chunks, each only if no case of an earlier chunk was taken."""
        others: list[object] = [True]
        inner = _with_hidden(state, others)
        no_case = MatchCase(AsPattern(None, None), None, lambda: others.__setitem__(0, True))

        def run_of(cases: tuple[MatchCase, ...]) -> None:
            others[0] = False
            self._cases(subject, (*cases, no_case), inner)

        for cases in runs:
            self._if(others[0], partial(run_of, cases), _do_nothing, inner)

    def _cases(self, subject: object, cases: tuple[MatchCase, ...], state: State) -> None:
        for position, case in enumerate(cases):
            found = case.pattern.against(subject, self._matcher)
            if found.test is not False:
                self._case(found, case, self._rest(subject, cases[position + 1 :], state), state)
                return

    def _rest(self, subject: object, cases: tuple[MatchCase, ...], state: State) -> Thunk:
        # The cells of the lambda hold the bodies, so that the objects they reach are watched.
        return lambda: self._cases(subject, cases, state)

    def _case(self, found: MatchResult, case: MatchCase, others: Thunk, state: State) -> None:
        """Continue with a case whose pattern matches, or may match."""
        values = tuple(value for _, value in sorted(found.captures.items()))
        captures = (values,) if values else ()
        body, guard = case.body, case.guard
        if guard is None:
            self._if(found.test, lambda: body(*captures), others, state)
        elif found.test is True:
            self._if(guard(*captures), body, others, state)
        else:
            self._doubly_guarded(found.test, lambda: guard(*captures), body, others, state)

    def _doubly_guarded(
        self, test: object, guard: Thunk, body: Thunk, others: Thunk, state: State
    ) -> None:
        """Evaluate a guard if the pattern matches, and try the other cases if either fails."""
        taken: list[object] = [False]
        inner = _with_hidden(state, taken)

        def take() -> None:
            taken[0] = True
            body()

        self._if(test, lambda: self._if(guard(), take, _do_nothing, inner), _do_nothing, inner)
        self._if(taken[0], _do_nothing, others, state)

    def _if(self, test: object, body: Thunk, orelse: Thunk, state: State) -> None:
        backend = self._of(test)
        if backend is not None:
            backend.cond(test, body, orelse, state)
        elif test:
            body()
        else:
            orelse()


def _with_hidden(state: State, hidden: list[object]) -> State:
    """Return a state with one more output, a hidden variable."""

    def put(values: tuple[object, ...]) -> None:
        hidden[0] = values[0]
        state.set(values[1:])

    return replace(
        state,
        get=lambda: (hidden[0], *state.get()),
        set=put,
        names=("the case taken", *state.names),
        nouts=state.nouts + 1,
    )


def _do_nothing() -> None:
    return None
