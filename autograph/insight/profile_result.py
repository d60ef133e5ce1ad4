"""The result of `profile`: times of nodes and lines, as a table and as a file for trace viewers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runtime.core.context import Origin
from runtime.core.lazy_imports import lazy_import
from runtime.core.source_names import line_name
from runtime.executors.profiling import NodeExecution

_MICROSECOND = 1e-6
# The numbers of the process and thread, which viewers need.
_PROCESS_IDS = {"pid": 1, "tid": 1}


def trace_events(
    call: str, events: Sequence[NodeExecution], seconds: float, left_out: int = 0
) -> dict[str, Any]:
    """Return the events of a run for trace viewers, in microseconds after its start.

    Args:
        call: the name of the run.
        events: runs of nodes.
        seconds: the time of the run.
        left_out: the number of runs of nodes that are not among the events.

    >>> trace_events("f()", [], 0.5)["traceEvents"][1]["dur"]
    500000.0
    """
    named = {"name": "process_name", "ph": "M", **_PROCESS_IDS, "args": {"name": "autograph"}}
    whole = {
        "name": call,
        "cat": "call",
        "ph": "X",
        "ts": 0.0,
        "dur": seconds / _MICROSECOND,
        **_PROCESS_IDS,
        "args": {"runs left out": left_out} if left_out else {},
    }
    inside = sorted(map(_event, events), key=lambda each: (each["ts"], -each["dur"]))
    return {"traceEvents": [named, whole, *inside], "displayTimeUnit": "ns"}


def _event(event: NodeExecution) -> dict[str, Any]:
    node = event.node
    origin = node.origin
    shown = {} if origin is None else {"line": str(origin)}
    if origin is not None and origin.line:
        shown["source"] = origin.line_text()
    return {
        "name": node.name,
        "cat": node.op.name,
        "ph": "X",
        "ts": max(event.began, 0.0) / _MICROSECOND,
        "dur": event.seconds / _MICROSECOND,
        **_PROCESS_IDS,
        "args": shown,
    }


# -- the result ------------------------------------------------------------------------------------


_BAR = 20
_MOST_NODES = 20
_NOWHERE = "(no line)"


@dataclass(frozen=True)
class NodeTime:
    """The time of all runs of a node.

    Attributes:
        name: the name of the node.
        op: the name of its operation.
        origin: the user's line of the node; None if unknown.
        depth: the number of loops, branches and calls around it.
        count: the number of its runs; 0 in a branch that was not taken.
        total: seconds, including nodes inside it.
        own: seconds, without nodes inside it.
    """

    name: str
    op: str
    origin: Origin | None
    depth: int
    count: int
    total: float
    own: float

    @property
    def mean(self) -> float:
        """The mean seconds of a run; 0.0 if there was none."""
        return self.total / self.count if self.count else 0.0


@dataclass(frozen=True)
class LineTime:
    """The time of a line of the user's code.

    Attributes:
        filename: the file; empty for nodes without a line.
        number: the number of the line; 0 for nodes without one.
        text: the text of the line.
        nodes: the number of its nodes.
        count: the runs of its most frequent node: in a loop, the number of iterations.
        total: seconds of all runs of its nodes, without nodes of lines inside them.
    """

    filename: str
    number: int
    text: str
    nodes: int
    count: int
    total: float

    @property
    def mean(self) -> float:
        """The mean seconds of a run; 0.0 if there was none."""
        return self.total / self.count if self.count else 0.0

    @property
    def place(self) -> str:
        """The name of the file, and the number."""
        return _place(self.filename, self.number) if self.filename else _NOWHERE


@dataclass(frozen=True, repr=False)
class Profile:
    """The times of one call; `print` shows them as a table.

    Attributes:
        call: the call, `f(x: int32[], n=2)`.
        nodes: the nodes of the graph, and of its loops, branches and calls, in order.
        events: runs of nodes, in the order in which they ended.
        left_out: the number of runs of nodes that are not among the events.
        seconds: the time of the run by the interpreter, which measured each node.
        executor_seconds: the time of a run by the usual executor; None if the graph has effects.
        result: the result of the call.
    """

    call: str
    nodes: tuple[NodeTime, ...]
    events: tuple[NodeExecution, ...] = field(repr=False)
    left_out: int
    seconds: float
    executor_seconds: float | None
    result: Any = field(repr=False)

    @property
    def lines(self) -> tuple[LineTime, ...]:
        """The times of lines, by file and number; nodes without a line come last."""
        places: dict[tuple[str, int], list[NodeTime]] = {}
        for node in self.nodes:
            places.setdefault(_place_of(node.origin), []).append(node)
        return tuple(_line(*place, places[place]) for place in sorted(places, key=_unknown_last))

    def text(self, nodes: int = _MOST_NODES) -> str:
        """Return the profile as a table: the lines, with bars, and the slowest nodes.

        Args:
            nodes: the number of nodes shown.

        Raises:
            ValueError: `nodes` is negative.
        """
        if nodes < 0:
            raise ValueError(f"`nodes` must be 0 or more, not {nodes}")
        return "\n".join(self._text(nodes))

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__
    _repr_html_ = lazy_import("autograph.display.reports:profile_html")

    def chrome_trace(self) -> dict[str, Any]:
        """Return the runs of nodes in the format of Perfetto and Chrome's `about:tracing`."""
        return trace_events(self.call, self.events, self.seconds, self.left_out)

    def save(self, path: str | Path) -> None:
        """Write `chrome_trace()` as a JSON file, which ui.perfetto.dev shows.

        Raises:
            OSError: the file cannot be written.
        """
        Path(path).write_text(json.dumps(self.chrome_trace()) + "\n", encoding="utf-8")

    # -- text ----------------------------------------------------------------------------------

    def _text(self, nodes: int) -> Iterator[str]:
        yield self.heading
        cells = [
            (*numbers, f"{'#' * round(share * _BAR):<{_BAR}}  {text}".rstrip())
            for (*numbers, text), share in line_shares(self)
        ]
        yield from ("", *_table(("line", "times", "total", "mean", "share", ""), cells))
        found = node_shares(self, nodes)
        if found:
            yield from ("", *_table(("node", "times", "total", "mean", "share", "line"), found))
        if len(self.nodes) > nodes:
            yield f"and {len(self.nodes) - nodes} more nodes"

    @property
    def heading(self) -> str:
        """The call, and the numbers of nodes and runs, with their times."""
        alone = self.executor_seconds
        runs = sum(node.count for node in self.nodes)
        text = f"{self.call}: {len(self.nodes)} nodes, {runs} runs, {_time(self.seconds)} measured"
        return text + (f", {_time(alone)} by the executor" if alone is not None else "")


def _place_of(origin: Origin | None) -> tuple[str, int]:
    """Return the file and line; 0 if the line is unknown, such as for code that Python adds."""
    return ("", 0) if origin is None else (origin.filename, origin.line or 0)


def _place(filename: str, number: int) -> str:
    return line_name(filename, number, folders=False)


def _unknown_last(place: tuple[str, int]) -> tuple[bool, str, int]:
    return (not place[0], *place)


def _line(filename: str, number: int, nodes: Sequence[NodeTime]) -> LineTime:
    origin = nodes[0].origin
    text = origin.line_text() if origin is not None and number else ""
    count = max(node.count for node in nodes)
    return LineTime(filename, number, text, len(nodes), count, sum(node.own for node in nodes))


def line_shares(profile: Profile) -> list[tuple[tuple[str, ...], float]]:
    """Return the cells of each line: place, times and text, and its share of the time."""
    spent = _spent(profile)
    return [(_line_cells(line, line.total / spent), line.total / spent) for line in profile.lines]


def node_shares(profile: Profile, nodes: int) -> list[tuple[str, ...]]:
    """Return the cells of the slowest nodes: name, times and place."""
    slowest = sorted(profile.nodes, key=lambda node: -node.own)[:nodes]
    return [_node_cells(node, _spent(profile)) for node in slowest]


def _spent(profile: Profile) -> float:
    return max(sum(node.own for node in profile.nodes), 1e-12)


def _line_cells(line: LineTime, share: float) -> tuple[str, ...]:
    times = (str(line.count), _time(line.total), _time(line.mean), f"{share:.0%}")
    return (line.place, *times, line.text)


def _node_cells(node: NodeTime, spent: float) -> tuple[str, ...]:
    place = _place(*_place_of(node.origin)) if node.origin is not None else ""
    mean = node.own / node.count if node.count else 0.0
    times = (str(node.count), _time(node.own), _time(mean), f"{node.own / spent:.0%}")
    return (node.name, *times, place)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table, with the numbers aligned to the right."""
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    for first, *figures, last in (head, *rows):
        middle = "".join(f"  {cell:>{width}}" for cell, width in zip(figures, widths[1:-1]))
        yield f"{first:<{widths[0]}}{middle}  {last}".rstrip()


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds / 1e-6:.1f} us"
