"""A generated program run three ways: on plain numbers, on eager tensors, and staged.

Every run gets globals of its own from the same text, so that no run sees another's.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import signal
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from autograph.errors import AutographError
from runtime.errors import OpError
from tests.parity.staged_differential import world
from tests.parity.staged_differential.programs import StagedProgram

MODULE = "staged_differential_program"
ENTRY = "main"
SECONDS = 5
Entry = Callable[..., Any]
Case = tuple[Any, ...]
# What Python says of these is the same in every run; the words of others are not compared.
_SPOKEN = ("UnboundLocalError", "NameError", "AssertionError", "Oops", "Worse", "ValueError")


@dataclass(frozen=True)
class Outcome:
    """The outcome of one call as the caller of a function can see it, spelled out."""

    error: Any
    result: Any
    log: Any
    objects: Any
    printed: str = ""
    raised: BaseException | None = None

    def parts(self) -> dict[str, Any]:
        """Return the compared parts, by name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "raised"}

    @property
    def refusal(self) -> str | None:
        """The words of the refusal, if the program was not staged."""
        return str(self.raised) if isinstance(self.raised, AutographError) else None

    @property
    def is_exhausted(self) -> bool:
        """Whether the call was cut short where runs need not agree."""
        return isinstance(self.raised, world.OutOfFuel | RecursionError)

    @property
    def is_crash(self) -> bool:
        """Whether the exception is neither the program's own doing nor an error with a place."""
        located = getattr(self.raised, "origin", None) is not None
        return isinstance(self.raised, OpError) and not located


@contextlib.contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Stop code that does not end, by the time it computes: others may be computing, too."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise world.OutOfFuel(f"{seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def variables_of(program: StagedProgram, operations: Any) -> dict[str, Any]:
    """Return the globals of a program that has just been run."""
    lines = program.text.splitlines(keepends=True)
    linecache.cache[program.name] = (len(program.text), None, lines, program.name)
    variables = {**world.GIVEN, "rt": operations, "__name__": MODULE}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(program.text, program.name, "exec", dont_inherit=True), variables)
    return variables


def numbers(case: Case) -> Case:
    """Return the arguments as numbers of Python and NumPy."""
    a, b, x, xs, t = case
    return a, b, x, world.vector(xs), t


def tensors(case: Case) -> Case:
    """Return the arguments as tensors."""
    a, b, x, xs, t = case
    return tuple(rt.constant(v) for v in (a, b, x, np.array(xs, np.int32), t))


SIGNATURE = [
    rt.TensorSpec((), rt.int32),
    rt.TensorSpec((), rt.int32),
    rt.TensorSpec((), rt.float32),
    rt.TensorSpec((None,), rt.int32),
    rt.TensorSpec((), rt.bool),
]


def outcomes_of_plain(program: StagedProgram, cases: tuple[Case, ...]) -> list[Outcome]:
    """Call `main` as it is, on numbers of Python and NumPy."""
    variables = variables_of(program, world.NumPyOperations)
    return _outcomes(variables, variables[ENTRY], map(numbers, cases))


def outcomes_of_eager(program: StagedProgram, cases: tuple[Case, ...]) -> list[Outcome]:
    """Call `main` as it is, on tensors."""
    variables = variables_of(program, rt)
    return _outcomes(variables, variables[ENTRY], map(tensors, cases))


def outcomes_of_staged(
    program: StagedProgram, cases: tuple[Case, ...], stage: Callable[[Entry], Entry]
) -> list[Outcome]:
    """Stage `main` once, and call it for every case."""
    variables = variables_of(program, rt)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        staged = stage(variables[ENTRY])
    return _outcomes(variables, staged, map(tensors, cases))


def by_shapes(entry: Entry) -> Entry:
    """Trace for every length of the vector."""
    return ag.function(entry)  # type: ignore[no-any-return]


def by_signature(entry: Entry) -> Entry:
    """Trace once, for vectors of any length."""
    return ag.function(entry, input_signature=SIGNATURE)  # type: ignore[no-any-return]


STAGES: dict[str, Callable[[Entry], Entry]] = {"signature": by_signature, "shapes": by_shapes}


def _outcomes(variables: dict[str, Any], entry: Entry, cases: Iterable[Case]) -> list[Outcome]:
    """Return each call's outcome; after one that was cut short nothing is compared, nor called."""
    found: list[Outcome] = []
    for case in cases:
        found.append(_called(variables, entry, case))
        if found[-1].is_exhausted:
            break
    return found


def _called(variables: dict[str, Any], entry: Entry, arguments: Case) -> Outcome:
    world.TRACE.clear()
    result, raised, printed = None, None, io.StringIO()
    try:
        with (
            stopped_after(SECONDS),
            warnings.catch_warnings(),
            contextlib.redirect_stderr(printed),
        ):
            warnings.simplefilter("ignore")
            result = entry(*arguments)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        raised = error
    outer = variables.get("OUTER")
    objects = None if outer is None else world.plain(dict(vars(outer)))
    return Outcome(
        _spelled(raised),
        world.plain(result),
        list(world.TRACE),
        objects,
        printed.getvalue(),
        raised,
    )


def _spelled(error: BaseException | None) -> Any:
    if error is None:
        return None
    kind = type(error).__name__
    return (kind, [world.plain(arg) for arg in error.args] if kind in _SPOKEN else None)
