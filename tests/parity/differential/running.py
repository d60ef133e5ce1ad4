"""A generated program, run as it is and converted, with everything a caller could observe.

Every run gets globals of its own from the same compiled text, so that no run sees another's.
"""

from __future__ import annotations

import contextlib
import copy
import io
import linecache
import types
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import autograph as ag
from autograph.errors import AutographError
from autograph.operators.tracebacks import drop_internal_frames
from runtime.graph.graph import Graph
from tests.parity.differential import world
from tests.parity.differential.frames import frames
from tests.parity.differential.spelling import spelled

MODULE = "differential_program"
ENTRY = "main"
ARGUMENTS: tuple[tuple[Any, ...], ...] = (
    (5, 2, [3, 1, 4], {"k": 1, "m": 2}, "ab"),
    (0, -1, [], {"k": 7}, ""),
    (2, 3, [2, 2, 0, 5], {}, "xyz"),
)
Entry = Callable[..., Any]
_REFUSED = "refused"


@dataclass(frozen=True)
class Outcome:
    """Everything the caller of a function can see of one call, spelled out."""

    error: Any
    result: Any
    trace: Any
    printed: str
    arguments: Any
    variables: Any

    def difference(self, other: Outcome) -> str | None:
        """Return the name of the first part in which two outcomes differ."""
        for field in fields(self):
            if getattr(self, field.name) != getattr(other, field.name):
                return field.name
        return None

    @property
    def is_refused(self) -> bool:
        """Whether there was no call, since `main` could not be converted."""
        return bool(self.error) and self.error[0] == _REFUSED

    @property
    def is_exhausted(self) -> bool:
        """Whether the call was cut short where runs need not agree: by the depth of the stack."""
        return "RecursionError" in repr(self.error)


@dataclass(frozen=True)
class Program:
    """A text that defines `main`.

    Attributes:
        name: what its file is called.
        text: Python source.
    """

    name: str
    text: str

    @cached_property
    def code(self) -> types.CodeType:
        """The compiled text; raises SyntaxError."""
        lines = self.text.splitlines(keepends=True)
        linecache.cache[self.name] = (len(self.text), None, lines, self.name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(self.text, self.name, "exec", dont_inherit=True)

    def forget(self) -> None:
        """Drop the lines of the text that Python keeps."""
        linecache.cache.pop(self.name, None)

    def run(self, arguments: tuple[Any, ...], change: Callable[[Entry], Entry]) -> Outcome:
        """Call `main`, changed in some way, on copies of the arguments.

        What the text itself raises, or a `main` that cannot be called, is an error of the caller's.
        """
        variables = {name: getattr(world, name) for name in world.__all__}
        known = set(variables)
        variables["__name__"] = MODULE
        exec(self.code, variables)
        if not callable(variables[ENTRY]):
            raise TypeError(f"{ENTRY} is not a function")
        given = copy.deepcopy(arguments)
        world.reset()
        with warnings.catch_warnings():
            # Of the odder expressions; converting gives the warning a second time.
            warnings.simplefilter("ignore")
            try:
                entry = change(variables[ENTRY])
            except AutographError as refusal:
                return Outcome((_REFUSED, str(refusal)), None, (), "", None, None)
            result, error, printed = _called(entry, given)
        # Spelling may log, where it looks at a value whose attributes compute.
        trace = tuple(world.TRACE)
        kept = {n: v for n, v in variables.items() if n not in known and n[:2] != "__"}
        return Outcome(error, spelled(result), trace, printed, spelled(given), spelled(kept))


def _called(entry: Entry, arguments: tuple[Any, ...]) -> tuple[Any, Any, str]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            return entry(*arguments), None, printed.getvalue()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            return None, _spelled_error(error, 6), printed.getvalue()


def _spelled_error(error: BaseException | None, depth: int) -> Any:
    """Spell an exception and all that hang on it, with the user's frames of their tracebacks."""
    if error is None or depth == 0:
        return None
    inside = getattr(error, "exceptions", ())
    chain = (error.__cause__, error.__context__, *inside)
    return (
        spelled(error),
        error.__suppress_context__,
        frames(error.__traceback__),
        tuple(_spelled_error(each, depth - 1) for each in chain),
    )


def original(entry: Entry) -> Entry:
    """Run `main` as it is."""
    return entry


def idle(entry: Entry) -> Entry:
    """Run the converted form where nothing is being traced."""
    return _trimmed(ag.to_graph(entry))


def forced(entry: Entry) -> Entry:
    """Run the converted form while a graph is being recorded: the operators do the work."""
    return _recorded(_trimmed(ag.to_graph(entry)))


def decorated(entry: Entry) -> Entry:
    """Run the function that `convert` gives, which shows errors without our frames by itself."""
    return _recorded(ag.convert(entry))


MODES: Mapping[str, Callable[[Entry], Entry]] = {
    "idle": idle,
    "forced": forced,
    "decorated": decorated,
}


def _trimmed(converted: Entry) -> Entry:
    def call(*arguments: Any) -> Any:
        try:
            return converted(*arguments)
        except BaseException as error:
            drop_internal_frames(error)
            raise

    return call


def _recorded(converted: Entry) -> Entry:
    def call(*arguments: Any) -> Any:
        with Graph("probe").recording():
            return converted(*arguments)

    return call
