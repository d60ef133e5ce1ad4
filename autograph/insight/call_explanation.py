"""The result of `explain` with arguments: the outcome of each line in one trace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograph.backends.graph.source.staging_log import DisplayedVariable
from autograph.converters.constructs import ConstructOutcome
from autograph.converters.report import Entry
from autograph.insight.symbolic_origin import OriginStep
from runtime.core.lazy_imports import lazy_import
from runtime.core.source_names import source_name

STAGED, PYTHON, GRAPH, CALL, NOT_RUN = "staged", "python", "graph", "call", "not run"
FAILED = "failed"

_MAX_STEPS = 6


@dataclass(frozen=True)
class StagedConstruct:
    """A statement or expression that became part of the graph.

    Attributes:
        kind: its name in Python: `if`, `while`, `for`, `and`, `conditional expression`, ...
        line: its line.
        why: the path from an input of the graph to its condition; empty if there is none.
        carried_in: the user's variables that it changes, with the values before, and those that it
            only reads.
        carried_out: the user's variables that it changes, and `the return value`.
        leaves_by: those of `return`, `break` and `continue` that it may run.
        raises: the exceptions of branches that always raise: `the main branch: ValueError('x')`.
        times: the number of times that it was staged: above 1 by a Python loop or several calls.
        function: the name of the function around it.
    """

    kind: str
    line: int
    why: tuple[OriginStep, ...] = ()
    carried_in: tuple[DisplayedVariable, ...] = ()
    carried_out: tuple[DisplayedVariable, ...] = ()
    leaves_by: tuple[str, ...] = ()
    raises: tuple[str, ...] = ()
    times: int = 1
    function: str = ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on it."""
        return tuple(self._remarks())

    def _remarks(self) -> Iterator[str]:
        if self.why:
            yield f"{self._subject}: {path_text(self.why, self.function)}"
        if self.carried_in:
            yield f"in: {', '.join(map(str, self.carried_in))}"
        if self.carried_out:
            yield f"out: {', '.join(map(str, self.carried_out))}"
        if self.leaves_by:
            yield f"may leave by {' and '.join(self.leaves_by)}"
        yield from (f"raises in {each}" for each in self.raises)
        if self.times > 1:
            yield f"staged {self.times} times"

    @property
    def _subject(self) -> str:
        """Return the symbolic construct, in backquotes if it is one word."""
        return self.kind if " " in self.kind else f"`{self.kind}`"


@dataclass(frozen=True)
class TracedLine:
    """One line of a function and its outcome in the trace.

    Attributes:
        number: its number in the user's file.
        text: its text, without the common indentation of the lines.
        entries: the constructs that begin there, as in `explain` without arguments.
        staged: the constructs that became part of the graph.
        nodes: the number of its nodes in the finished graph.
        has_code: whether a statement that runs begins there.
        was_run: whether it was run in the trace.
        unrolled: for a loop that Python ran, the number of times that its body was traced.
        failed: whether it is in the traceback of the exception that ended the trace.
    """

    number: int
    text: str
    entries: tuple[Entry, ...] = ()
    staged: tuple[StagedConstruct, ...] = ()
    nodes: int = 0
    has_code: bool = True
    was_run: bool = True
    unrolled: int | None = None
    failed: bool = False

    @property
    def outcome(self) -> str:
        """The outcome: staged, python, graph, call, failed, not run, or empty."""
        if self.failed:
            return FAILED
        if self.staged:
            return STAGED
        if not self.was_run:
            return NOT_RUN if self.has_code else ""
        if self.unrolled is not None or any(map(_is_python_here, self.entries)):
            return PYTHON
        if self.nodes:
            return GRAPH
        return CALL if any(entry.outcome is ConstructOutcome.CALL for entry in self.entries) else ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on it."""
        remarks = [remark for each in self.staged for remark in each.remarks]
        if self.unrolled or (self.unrolled == 0 and not self.staged):
            count = _counted(self.unrolled, "time")
            python_first = f"Python ran its body {count} before it was staged"
            remarks.append(
                python_first if self.staged else f"a Python loop: its body was traced {count}"
            )
        elif self.outcome == PYTHON:
            remarks.extend(self._why_python())
        return tuple(remarks)

    def _why_python(self) -> Iterator[str]:
        for entry in self.entries:
            if entry.outcome is ConstructOutcome.PYTHON:
                yield f"{entry.construct} stays Python: {entry.reason}"
            elif _is_python_here(entry):
                yield f"{entry.construct} on a Python value: decided while tracing"


# The constructs that would have been staged for tensors.
_DECIDING = frozenset(
    "`if` `elif` `for` `while` `and` `or` `not` `assert` `match` conditional chained".split()
)


def _is_python_here(entry: Entry) -> bool:
    """Return whether Python ran a construct of an unstaged line that could be staged."""
    if entry.outcome is ConstructOutcome.PYTHON:
        return True
    return entry.outcome is ConstructOutcome.STAGED and entry.construct.split()[0] in _DECIDING


@dataclass(frozen=True)
class ExplainedFunction:
    """A function that was traced.

    Attributes:
        name: the name in its definition.
        filename: its file.
        lines: the lines of its definition; empty if its source is not found.
    """

    name: str
    filename: str
    lines: tuple[TracedLine, ...] = ()

    @property
    def staged(self) -> tuple[StagedConstruct, ...]:
        """Its constructs that became part of the graph."""
        return tuple(each for line in self.lines for each in line.staged)

    def line(self, number: int) -> TracedLine:
        """Return one line.

        Raises:
            KeyError: the function has no such line.
        """
        for line in self.lines:
            if line.number == number:
                return line
        raise KeyError(f"`{self.name}` has no line {number}")


@dataclass(frozen=True, repr=False)
class CallExplanation:
    """The outcome of the trace of one call, function by function; `print` shows it with the source.

    Attributes:
        call: the traced call, `f(x: int32[], n=2)`.
        functions: the functions in the order of their first calls.
        nodes: the number of nodes in the finished graph.
        graph: the finished graph; None if the trace failed.
        error: the text of the exception of the trace; empty if it completed.
        left_alone: the reason why there are no lines, such as for a library's function; or empty.
        refused: the nodes that the engine of `executor=` does not run, so that the NumPy executor
            runs the graph; empty if there are none.
    """

    call: str
    functions: tuple[ExplainedFunction, ...]
    nodes: int = 0
    graph: Any = None
    error: str = ""
    left_alone: str = ""
    refused: str = ""

    @property
    def lines(self) -> tuple[TracedLine, ...]:
        """The lines of all functions, function by function."""
        return tuple(each for function in self.functions for each in function.lines)

    @property
    def staged(self) -> tuple[StagedConstruct, ...]:
        """The constructs that became part of the graph, function by function."""
        return tuple(each for function in self.functions for each in function.staged)

    @property
    def heading(self) -> str:
        """The call, and the numbers of staged places and nodes, or the error."""
        if self.error:
            return f"tracing {self.call} fails: {self.error}"
        return f"{self.call}: {_counted(len(self.staged), 'place')} staged, " + _counted(
            self.nodes, "node"
        )

    def __str__(self) -> str:
        return "\n".join(self._text())

    __repr__ = __str__
    _repr_html_ = lazy_import("autograph.display.reports:call_html")

    def _text(self) -> Iterator[str]:
        yield self.heading
        if self.left_alone:
            yield f"no line of yours is in it: it is left alone, since {self.left_alone}"
        if self.refused:
            yield self.refused
        for function in self.functions:
            if function.lines:
                yield from ("", source_name(function.filename))
                yield from _listing(function)


def _listing(function: ExplainedFunction) -> Iterator[str]:
    digits = max((len(str(line.number)) for line in function.lines), default=1)
    words = max((len(line.outcome) for line in function.lines), default=0)
    costs = max((len(cost_text(line)) for line in function.lines), default=0)
    for line in function.lines:
        margin = f"{line.number:>{digits}}  {line.outcome:<{words}}  {cost_text(line):>{costs}}"
        yield f"{margin}  {line.text}".rstrip()
        indentation = line.text[: len(line.text) - len(line.text.lstrip())]
        for remark in line.remarks:
            yield f"{'':{len(margin) + 2}}{indentation}  # {remark}"


def path_text(path: tuple[OriginStep, ...], function: str) -> str:
    """Return a path as one line; of a long one the beginning and the end.

    >>> steps = OriginStep("x", "argument"), OriginStep("x > 0", "statement", 2)
    >>> path_text(steps, "f")
    'x (argument) -> x > 0 (line 2)'
    """
    words = [step.shown(function) for step in path]
    if len(words) > _MAX_STEPS:
        left_out = f"... {len(words) - _MAX_STEPS + 1} more ..."
        words = [*words[: _MAX_STEPS - 3], left_out, *words[-2:]]
    return " -> ".join(words)


def cost_text(line: TracedLine) -> str:
    """Return the number of nodes of a line as a short text."""
    return f"{line.nodes}n" if line.nodes else ""


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
