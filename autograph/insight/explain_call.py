"""Explains one call: traces it, records the trace, and makes the explanation of the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from autograph.backends.graph.source.staging_log import StagedEntry, StagingLog, listening
from autograph.conversion.convert import STANDARD_CONVERTER
from autograph.conversion.explanation import Line
from autograph.conversion.rules import name_of
from autograph.errors import AutographError
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.function import Function
from autograph.insight.call_explanation import (
    CallExplanation,
    ExplainedFunction,
    StagedConstruct,
    TracedLine,
)
from autograph.insight.line_follower import FollowedCall, FollowedDefinition, following
from autograph.insight.sources import (
    function_at,
    lines_before_continue,
    lines_of_head,
    lines_with_code,
    loop_with_head,
)
from autograph.insight.statement_notes import merge_repeats, staged_construct
from autograph.insight.symbolic_origin import OriginPaths
from runtime.core.context import current_recorder
from runtime.executors.executor import refusal_text
from runtime.graph.graph import Graph

# Parts of a function that have code objects of their own.
_NAMELESS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
FileAndLine = tuple[str, int]
LineInGraph = tuple[str, int, object]


@dataclass(eq=False, repr=False)
class TraceCounter:
    """A listener that counts the runs of lines and the iterations of loops.

    Attributes:
        reached_functions: each reached function, with the frame's globals and flags.
        lines: the number of runs of each line, by the graph that recorded at the time.
        iterations: the number of iterations of the loop on a line, by the graph too.
    """

    reached_functions: dict[FollowedDefinition, tuple[dict[str, object], int]] = field(
        default_factory=dict
    )
    lines: Counter[LineInGraph] = field(default_factory=Counter)
    iterations: Counter[LineInGraph] = field(default_factory=Counter)
    _last: dict[FrameType, int] = field(default_factory=dict)
    _loops: dict[FileAndLine, tuple[int, int] | None] = field(default_factory=dict)

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
        if loop is not None and loop[1] == line:
            self.iterations[filename, loop[0], graph] += 1
        self._last[frame] = line

    def left(self, call: FollowedCall, frame: FrameType, abandoned: bool) -> None:
        """Forget a frame."""
        self._last.pop(frame, None)

    def runs_of(self, place: FileAndLine, graphs: frozenset[object] | None) -> int:
        """Return the number of runs of a line while one of these graphs (None: any) recorded."""
        return _total(self.lines, place, graphs)

    def iterations_of(
        self, place: FileAndLine, graphs: frozenset[object] | None, staged: frozenset[object]
    ) -> int:
        """Return the number of iterations of a loop that have begun, outside its staged bodies."""
        return _total(self.iterations, place, graphs, staged)

    def _loop_at(self, filename: str, line: int) -> tuple[int, int] | None:
        place = filename, line
        if place not in self._loops:
            self._loops[place] = loop_with_head(filename, line)
        return self._loops[place]


def _total(
    counts: Counter[LineInGraph],
    place: FileAndLine,
    graphs: frozenset[object] | None,
    without: frozenset[object] = frozenset(),
) -> int:
    return sum(
        count
        for (filename, line, graph), count in counts.items()
        if (filename, line) == place
        and (graphs is None or graph in graphs)
        and graph not in without
    )


# -- the explanation -------------------------------------------------------------------------------


@dataclass(frozen=True)
class TraceRecording:
    """A record of one trace.

    Attributes:
        staging_log: the staged statements.
        counter: the counts of lines and iterations.
        concrete: the concrete function; None if the trace failed.
        error: the text of the exception.
        failed_lines: the lines in the traceback of the exception.
    """

    staging_log: StagingLog
    counter: TraceCounter
    concrete: ConcreteFunction | None
    error: str = ""
    failed_lines: frozenset[FileAndLine] = frozenset()

    @property
    def finished_graphs(self) -> frozenset[object] | None:
        """The finished graph and its regions; None, for all graphs, if the trace failed."""
        root = self.staging_log.root
        if self.concrete is None or root is None:
            return None
        return frozenset((root, *(region for node in root.walk() for region in node.regions)))

    def bodies_of(self, place: FileAndLine) -> frozenset[object]:
        """Return the regions of the staged loop on a line, with those inside."""
        around = [
            region
            for note in self.staging_log.notes
            if note.kind in ("for", "while") and note.place is not None and note.node is not None
            if (note.place.filename, note.place.line) == place
            for region in note.node.regions
        ]
        inside = (each for region in around for node in region.walk() for each in node.regions)
        return frozenset((*around, *inside))


def explain_call(
    function: Function,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    include: tuple[str, ...] = (),
) -> CallExplanation:
    """Trace a call and return the outcome of every line.

    Args:
        function: a Function without traces.
        args, kwargs: of the call; TensorSpecs are allowed in the place of tensors.
        include: modules whose functions are converted when called.
    """
    recording = _record_trace(function, args, kwargs)
    graph = recording.concrete.graph if recording.concrete is not None else None
    builder = _ExplanationBuilder(recording, graph, include)
    functions = tuple(map(builder.explained, recording.counter.reached_functions))
    call = recording.concrete.call_text() if recording.concrete is not None else _name(function)
    nodes = sum(1 for _ in graph.walk()) if graph is not None else 0
    refused = refusal_text(graph) if graph is not None else ""
    return CallExplanation(call, functions, nodes, graph, recording.error, refused=refused)


def _record_trace(
    function: Function, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> TraceRecording:
    staging_log, counter = StagingLog(), TraceCounter()
    try:
        with listening(staging_log), following(counter, converted_only=True):
            concrete = function.get_concrete_function(*args, **kwargs)
    except Exception as error:
        # An exception of the user's code is part of the explanation, and is not raised.
        text = f"{type(error).__name__}: {error}"
        return TraceRecording(staging_log, counter, None, text, frozenset(_lines_of(error)))
    return TraceRecording(staging_log, counter, concrete)


def _lines_of(error: BaseException) -> Iterator[FileAndLine]:
    entry = error.__traceback__
    while entry is not None:
        if entry.tb_lineno is not None:
            yield entry.tb_frame.f_code.co_filename, entry.tb_lineno
        entry = entry.tb_next


def _name(function: Function) -> str:
    return name_of(function.python_function)


class _ExplanationBuilder:
    """Makes the explanation of a record, function by function."""

    def __init__(
        self, recording: TraceRecording, graph: Graph | None, include: tuple[str, ...]
    ) -> None:
        self._recording = recording
        self._include = include
        self._graphs = recording.finished_graphs
        root = recording.staging_log.root
        finished = root is not None and recording.concrete is not None
        self._paths = OriginPaths(root, self._outer_name) if root is not None and finished else None
        self._node_counts = Counter(_places(graph)) if graph is not None else Counter()

    def explained(self, place: FollowedDefinition) -> ExplainedFunction:
        """Return the lines and staged constructs of a traced function."""
        lines = self._source(place)
        entries = [entry for line in lines for entry in line.entries]
        staged: dict[int, list[StagedConstruct]] = {}
        for note in self._notes(place.filename, lines):
            explained = staged_construct(note, self._paths, place.name, entries)
            if explained is not None:
                staged.setdefault(explained.line, []).append(explained)
        shown = tuple(self._lines(place, lines, staged))
        return ExplainedFunction(place.name, place.filename, shown)

    def _source(self, place: FollowedDefinition) -> tuple[Line, ...]:
        global_values, flags = self._recording.counter.reached_functions[place]
        function = function_at(place, global_values, flags)
        if function is None:
            return ()
        try:
            return STANDARD_CONVERTER.explain(function, include=self._include).lines
        except AutographError:
            return ()  # it has no source

    def _notes(self, filename: str, lines: tuple[Line, ...]) -> Iterator[StagedEntry]:
        numbers = {line.number for line in lines}
        for note in self._recording.staging_log.notes:
            place = note.place
            is_part = self._graphs is None or note.graph in self._graphs
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
        with_code = lines_with_code(place.filename, span)
        with_code -= frozenset(lines_of_head(place.filename, place.line))
        counter, graphs = self._recording.counter, self._graphs
        ran = {n for n in with_code if counter.runs_of((place.filename, n), graphs) > 0}
        before = lines_before_continue(place.filename)
        ran |= {n for n in with_code if before.get(n) in ran}
        for line in lines:
            where = place.filename, line.number
            yield TracedLine(
                line.number,
                line.text,
                line.entries,
                merge_repeats(staged.get(line.number, ())),
                self._node_counts[where],
                line.number in with_code,
                line.number in ran,
                self._unrolled(where) if line.number in ran else None,
                where in self._recording.failed_lines,
            )

    def _unrolled(self, where: FileAndLine) -> int | None:
        """Return the number of iterations of a Python loop on a line; None if there is no loop."""
        staged = self._recording.bodies_of(where)
        iterations = self._recording.counter.iterations_of(where, self._graphs, staged)
        return iterations if iterations or loop_with_head(*where) is not None else None

    def _outer_name(self, outer: object) -> str | None:
        """Return the name of a captured value: that of a global variable of a traced function."""
        for global_values, _ in self._recording.counter.reached_functions.values():
            for name, value in global_values.items():
                if value is outer:
                    return name
        return None


def _places(graph: Graph) -> Iterator[FileAndLine]:
    for node in graph.walk():
        if node.origin is not None:
            yield node.origin.filename, node.origin.line
