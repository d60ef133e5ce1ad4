"""What a trace stages, told to whoever listens: statements, their conditions, their variables.

    with listening(Journal()) as journal:
        ...trace a function...
    journal.notes         # `if` on %greater at model.py:3: x: int32[] before, x: int32[] after

Nobody listens to an ordinary trace, and then a statement costs one look at a ContextVar.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field

from autograph.backends.graph.places import UserPlace, user_place
from autograph.backends.graph.seen import Seen, seen
from autograph.operators.state import State
from runtime.context import current_recorder
from runtime.graph.graph import Graph
from runtime.graph.node import Node


@dataclass(frozen=True, eq=False)
class Note:
    """One statement or expression that was staged.

    Attributes:
        kind: Python's word for it: `if`, `while`, `for`, `and`, ...
        subject: what it was staged for: the condition, or what is gone over; None: the node knows.
        place: where it stands, None outside of any user code.
        graph: the graph that was recording.
        node: what the statement became, if that is a node with regions.
        before: its variables when it began.
        after: its variables when it was staged.
    """

    kind: str
    subject: object
    place: UserPlace | None
    graph: Graph
    node: Node | None
    before: tuple[Seen, ...] = ()
    after: tuple[Seen, ...] = ()


@dataclass(eq=False)
class Journal:
    """Collects notes, in the order in which statements were finished.

    A loop's body may be traced more than once, and only one trace of it becomes part of the graph:
    a note counts if its `graph` is the root or one of the regions in it.
    """

    notes: list[Note] = field(default_factory=list)
    root: Graph | None = None


_LISTENER: ContextVar[Journal | None] = ContextVar("journal", default=None)
_NOBODY = nullcontext()


@contextmanager
def listening(journal: Journal) -> Iterator[Journal]:
    """Collect in `journal` what is staged inside."""
    token = _LISTENER.set(journal)
    try:
        yield journal
    finally:
        _LISTENER.reset(token)


def staging(kind: str, subject: object, state: State | None = None) -> AbstractContextManager[None]:
    """Return a context manager for the staging of one statement, noted when it comes to its end.

    Args:
        kind: Python's word for the statement or expression.
        subject: the tensor it was staged for.
        state: the variables it may change.

    >>> with staging("if", None):
    ...     pass
    """
    journal = _LISTENER.get()
    return _NOBODY if journal is None else _Noting(journal, kind, subject, state)


class _Noting:
    """The time a statement takes to be staged; one that is not staged to its end leaves no note."""

    def __init__(self, journal: Journal, kind: str, subject: object, state: State | None) -> None:
        self._journal, self._kind, self._subject, self._state = journal, kind, subject, state
        self._graph = current_recorder()

    def __enter__(self) -> None:
        if isinstance(self._graph, Graph):
            self._journal.root = _outermost(self._graph)
            self._place, self._before = user_place(), _variables(self._state)
            self._start = len(self._graph.nodes)

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        graph = self._graph
        if kind is not None or not isinstance(graph, Graph):
            return
        nodes = reversed(graph.nodes[self._start :])
        node = next((node for node in nodes if node.regions), None)
        after = _variables(self._state)
        note = Note(self._kind, self._subject, self._place, graph, node, self._before, after)
        self._journal.notes.append(note)


def _variables(state: State | None) -> tuple[Seen, ...]:
    if state is None:
        return ()
    return tuple(seen(name, value) for name, value in zip(state.names, state.get()))


def _outermost(graph: Graph) -> Graph:
    while graph.outer is not None:
        graph = graph.outer
    return graph
