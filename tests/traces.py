"""Shared traces of corpus programs, for tests that only read a graph."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import autograph as ag
import runtime as rt
from tests.corpus import Program, undisturbed
from tests.parity.agreement import Outcome, outcome_of
from tests.parity.leaks import left_behind

# The tests of a program follow one another in a process, so that few are needed at a time.
_MOST = 8
_programs: OrderedDict[str, StagedProgram] = OrderedDict()


@dataclass(frozen=True)
class Call:
    """One call of a staged function: the caller's view, and the facts that tests ask right after.

    Attributes:
        outcome: the result or error, the printed text and the arguments as the call left them.
        traced: whether the call made a trace.
        left_behind: the symbolic tensors that the program's module or arguments hold.
    """

    outcome: Outcome
    traced: bool
    left_behind: list[str]


@dataclass(frozen=True)
class StagedProgram:
    """A staged function that was called with each case of its program, in order, until refused.

    Attributes:
        program: the program of the corpus.
        function: its function as `ag.function` stages it.
        calls: one record a case.
    """

    program: Program
    function: ag.Function
    calls: tuple[Call, ...]

    @cached_property
    def concrete(self) -> ag.ConcreteFunction:
        """The trace of the first case.

        Raises:
            Exception: the error that tracing raises.
        """
        with undisturbed(self.program):
            return self.function.get_concrete_function(*self.program.tensors(0))

    @property
    def graph(self) -> rt.Graph:
        """The graph of the first case; nobody may change it."""
        return self.concrete.graph


def staged(program: Program) -> StagedProgram:
    """Return the record of a program: one function and its calls, for every test in a process."""
    if program.id not in _programs:
        function = ag.function(program.function)
        with undisturbed(program):
            # One refusal says all: to refuse a program may take seconds.
            cases = range(1 if program.refused else len(program.cases))
            calls = tuple(_call(program, function, case) for case in cases)
        _programs[program.id] = StagedProgram(program, function, calls)
        while len(_programs) > _MOST:
            _programs.popitem(last=False)
    return _programs[program.id]


def _call(program: Program, function: ag.Function, case: int) -> Call:
    before = function.experimental_get_tracing_count()
    outcome = outcome_of(function, program.tensors(case))
    traced = function.experimental_get_tracing_count() > before
    # The next call may change a list that this one returned.
    outcome = replace(outcome, result=_copied(outcome.result))
    return Call(outcome, traced, left_behind(program, outcome.arguments))


def _copied(value: Any) -> Any:
    if type(value) in (list, tuple):
        return type(value)(map(_copied, value))
    return {k: _copied(v) for k, v in value.items()} if type(value) is dict else value
