"""Explains one call: traces it while listening, and assembles the explanation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from autograph.backends.graph.program.staging_log import StagedEntry, StagingLog, listening
from autograph.conversion.convert import STANDARD_CONVERTER
from autograph.conversion.explanation import Line
from autograph.conversion.rules import name_of
from autograph.errors import AutographError
from autograph.function.concrete import ConcreteFunction
from autograph.function.function import Function
from autograph.insight.line_follower import FollowedCall, FollowedDefinition, following
from autograph.insight.sources import function_at, lines_of_head, lines_with_code, loop_headed
from autograph.insight.statement_notes import merged, staged_of
from autograph.insight.symbolic_origin import OriginPaths
from autograph.insight.trace_explanation import (
    CallExplanation,
    StagedConstruct,
    TracedFunction,
    TracedLine,
)
from runtime.core.context import current_recorder
from runtime.graph.graph import Graph

# Parts of a function that only Python treats as functions.
_NAMELESS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
Place = tuple[str, int]
Where = tuple[str, int, object]


@dataclass(eq=False)
class TraceCounter:
    """A listener that counts.

    Attributes:
        reached_functions: each reached function, with the frame's globals and flags.
        lines: the number of runs of each line, by the graph that recorded then.
        iterations: the number of iterations of the loop on a line, by the graph as well.
    """

    reached_functions: dict[FollowedDefinition, tuple[dict[str, object], int]] = field(
        default_factory=dict
    )
    lines: Counter[Where] = field(default_factory=Counter)
    iterations: Counter[Where] = field(default_factory=Counter)
    _last: dict[FrameType, int] = field(default_factory=dict)
    _loops: dict[Place, tuple[int, int] | None] = field(default_factory=dict)

    def entered(self, call: FollowedCall) -> None:
        """Record a function."""
        frame = call.frame
        if call.definition.name in _NAMELESS:
            return
        self.reached_functions.setdefault(call.definition, (frame.f_globals, frame.f_code.co_flags))

    def body_entered(self, call: FollowedCall, frame: FrameType) -> None:
        """Do nothing: the lines of a body are those of its function."""

    def reached(self, call: FollowedCall, frame: FrameType, line: int) -> None:
        """Count a line, and the iteration of a loop that begins with it."""
        filename, graph = frame.f_code.co_filename, current_recorder()
        self.lines[filename, line, graph] += 1
        last = self._last.get(frame)
        loop = None if last is None else self._loop_at(filename, last)
        # A body lifted out of a loop begins on the loop's own line.
        if loop is not None and loop[1] == line and loop[0] != frame.f_code.co_firstlineno:
            self.iterations[filename, loop[0], graph] += 1
        self._last[frame] = line

    def left(self, call: FollowedCall, frame: FrameType, given_up: bool) -> None:
        """Forget a frame."""
        self._last.pop(frame, None)

    def times(self, place: Place, graphs: frozenset[object] | None) -> int:
        """Return the number of runs of a line while any of some graphs, all for None, recorded."""
        return _total(self.lines, place, graphs)

    def iterations_of(self, place: Place, graphs: frozenset[object] | None) -> int:
        """Return the number of iterations of a loop that were begun."""
        return _total(self.iterations, place, graphs)

    def _loop_at(self, filename: str, line: int) -> tuple[int, int] | None:
        place = filename, line
        if place not in self._loops:
            self._loops[place] = loop_headed(filename, line)
        return self._loops[place]


def _total(counts: Counter[Where], place: Place, graphs: frozenset[object] | None) -> int:
    return sum(
        count
        for (filename, line, graph), count in counts.items()
        if (filename, line) == place and (graphs is None or graph in graphs)
    )


# -- the explanation -------------------------------------------------------------------------------


@dataclass(frozen=True)
class TraceRecording:
    """A record of one trace: staging log, counts and result.

    Attributes:
        journal: the staged statements.
        count: the executed lines.
        concrete: the concrete function; None if the trace failed.
        error: its exception, in words.
        failed: the lines of the failure.
    """

    journal: StagingLog
    count: TraceCounter
    concrete: ConcreteFunction | None
    error: str = ""
    failed: frozenset[Place] = frozenset()

    @property
    def regions(self) -> frozenset[object] | None:
        """The graphs that are part of the finished one; None for all, where none was finished."""
        root = self.journal.root
        if self.concrete is None or root is None:
            return None
        return frozenset((root, *(region for node in root.walk() for region in node.regions)))


def explained_call(
    function: Function,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    include: tuple[str, ...] = (),
) -> CallExplanation:
    """Trace a call and return the outcome of every line.

    Args:
        function: the Function, without traces.
        args, kwargs: of the call; TensorSpecs stand for tensors.
        include: modules whose functions are converted when called.
    """
    heard = _listened(function, args, kwargs)
    graph = heard.concrete.graph if heard.concrete is not None else None
    teller = _ExplanationBuilder(heard, graph, include)
    functions = tuple(map(teller.told, heard.count.reached_functions))
    call = heard.concrete.call_text() if heard.concrete is not None else _name(function)
    nodes = sum(1 for _ in graph.walk()) if graph is not None else 0
    return CallExplanation(call, functions, nodes, graph, heard.error)


def _listened(
    function: Function, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> TraceRecording:
    journal, count = StagingLog(), TraceCounter()
    try:
        with listening(journal), following(count, converted_only=True):
            concrete = function.get_concrete_function(*args, **kwargs)
    except Exception as error:
        # An exception of the user's code is reported, not raised: the trace up to it is explained.
        text = f"{type(error).__name__}: {error}"
        return TraceRecording(journal, count, None, text, frozenset(_lines_of(error)))
    return TraceRecording(journal, count, concrete)


def _lines_of(error: BaseException) -> Iterator[Place]:
    entry = error.__traceback__
    while entry is not None:
        if entry.tb_lineno is not None:
            yield entry.tb_frame.f_code.co_filename, entry.tb_lineno
        entry = entry.tb_next


def _name(function: Function) -> str:
    return name_of(function.python_function)


class _ExplanationBuilder:
    """Builds the explanation from the events heard, function by function."""

    def __init__(
        self, heard: TraceRecording, graph: Graph | None, include: tuple[str, ...]
    ) -> None:
        self._heard = heard
        self._include = include
        self._regions = heard.regions
        root = heard.journal.root
        finished = root is not None and heard.concrete is not None
        self._ways = OriginPaths(root, self._named) if root is not None and finished else None
        self._costs = Counter(_places(graph)) if graph is not None else Counter()

    def told(self, place: FollowedDefinition) -> TracedFunction:
        """Return one function as it was traced: its lines and staged constructs."""
        lines = self._source(place)
        entries = [entry for line in lines for entry in line.entries]
        staged: dict[int, list[StagedConstruct]] = {}
        for note in self._notes(place.filename, lines):
            told = staged_of(note, self._ways, place.name, entries)
            if told is not None:
                staged.setdefault(told.line, []).append(told)
        return TracedFunction(place.name, place.filename, tuple(self._lines(place, lines, staged)))

    def _source(self, place: FollowedDefinition) -> tuple[Line, ...]:
        seen, flags = self._heard.count.reached_functions[place]
        function = function_at(place, seen, flags)
        if function is None:
            return ()
        try:
            return STANDARD_CONVERTER.explain(function, include=self._include).lines
        except AutographError:
            return ()  # no source: only its name is known

    def _notes(self, filename: str, lines: tuple[Line, ...]) -> Iterator[StagedEntry]:
        numbers = {line.number for line in lines}
        for note in self._heard.journal.notes:
            place = note.place
            is_part = self._regions is None or note.graph in self._regions
            if is_part and place is not None and place.filename == filename:
                if place.line in numbers:
                    yield note

    def _lines(
        self,
        place: FollowedDefinition,
        lines: tuple[Line, ...],
        staged: Mapping[int, list[StagedConstruct]],
    ) -> Iterator[TracedLine]:
        if not lines:
            return
        span = range(lines[0].number, lines[-1].number + 1)
        coded = lines_with_code(place.filename, span)
        coded -= frozenset(lines_of_head(place.filename, place.line))
        count, regions = self._heard.count, self._regions
        ran = {n for n in coded if count.times((place.filename, n), regions) > 0}
        for line in lines:
            where = place.filename, line.number
            yield TracedLine(
                line.number,
                line.text,
                line.entries,
                merged(staged.get(line.number, ())),
                self._costs[where],
                line.number in coded,
                line.number in ran,
                self._unrolled(where) if line.number in ran else None,
                where in self._heard.failed,
            )

    def _unrolled(self, where: Place) -> int | None:
        """Return the number of iterations Python ran of a loop; None if there is no such loop."""
        iterations = self._heard.count.iterations_of(where, self._regions)
        return iterations if iterations or loop_headed(*where) is not None else None

    def _named(self, outer: object) -> str | None:
        """Return the user's name for a value from outside: a global that one of them sees."""
        for seen, _ in self._heard.count.reached_functions.values():
            for name, value in seen.items():
                if value is outer:
                    return name
        return None


def _places(graph: Graph) -> Iterator[Place]:
    for node in graph.walk():
        if node.origin is not None:
            yield node.origin.filename, node.origin.line
