"""Counting what a trace runs: the functions it comes to, their lines, the turns of their loops."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from types import FrameType

from autograph.insight.line_follower import Call, Definition
from autograph.insight.sources import loop_headed
from runtime.core.context import current_recorder

# Parts of a function that are functions to Python only.
_NAMELESS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
Place = tuple[str, int]
Where = tuple[str, int, object]


@dataclass(eq=False)
class Count:
    """A listener that counts.

    Attributes:
        reached_functions: each function come to, with the frame's globals and flags.
        lines: how often each line was run, by the graph that recorded then.
        turns: how often the body of the loop on a line was begun, by the graph as well.
    """

    reached_functions: dict[Definition, tuple[dict[str, object], int]] = field(default_factory=dict)
    lines: Counter[Where] = field(default_factory=Counter)
    turns: Counter[Where] = field(default_factory=Counter)
    _last: dict[FrameType, int] = field(default_factory=dict)
    _loops: dict[Place, tuple[int, int] | None] = field(default_factory=dict)

    def entered(self, call: Call) -> None:
        """Note a function."""
        frame = call.frame
        if call.definition.name in _NAMELESS:
            return
        self.reached_functions.setdefault(call.definition, (frame.f_globals, frame.f_code.co_flags))

    def body_entered(self, call: Call, frame: FrameType) -> None:
        """Do nothing: the lines of a body are those of its function."""

    def reached(self, call: Call, frame: FrameType, line: int) -> None:
        """Count a line, and the turn of a loop that begins with it."""
        filename, graph = frame.f_code.co_filename, current_recorder()
        self.lines[filename, line, graph] += 1
        last = self._last.get(frame)
        loop = None if last is None else self._loop_at(filename, last)
        # A body lifted out of a loop begins on the loop's own line.
        if loop is not None and loop[1] == line and loop[0] != frame.f_code.co_firstlineno:
            self.turns[filename, loop[0], graph] += 1
        self._last[frame] = line

    def left(self, call: Call, frame: FrameType, given_up: bool) -> None:
        """Forget a frame."""
        self._last.pop(frame, None)

    def times(self, place: Place, graphs: frozenset[object] | None) -> int:
        """Return how often a line was run while any of some graphs, all for None, recorded."""
        return _total(self.lines, place, graphs)

    def turns_of(self, place: Place, graphs: frozenset[object] | None) -> int:
        """Return how often the body of a loop was begun."""
        return _total(self.turns, place, graphs)

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
