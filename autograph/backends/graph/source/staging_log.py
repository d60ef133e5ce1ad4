"""A log of the statements that a trace stages, with their conditions and variables.

    with listening(StagingLog()) as log:
        ...trace a function...
    log.notes             # an entry: an `if`, staged for %greater at model.py:3, which changes x

Without a log, which is the usual case, a statement costs one read of a ContextVar.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import FrameType
from typing import NamedTuple

import runtime as rt
from autograph.backends.graph.source.source_location import SourceLocation, user_location
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import StoredElsewhere, Undefined, UndefinedReturnValue
from autograph.operators.frames import code_info_of
from autograph.operators.state import State
from runtime.core.context import current_recorder, is_internal_frame
from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node

_LONGEST = 40
_MOST_ITEMS = 4
UNBOUND, PERHAPS_UNBOUND, PERHAPS_NONE = "unbound", "perhaps unbound", "perhaps None"
DYNAMIC_LIST = "dynamic list"


class StagedEntry(NamedTuple):
    """One statement or expression that was staged.

    Attributes:
        kind: the keyword of the statement: `if`, `while`, `for`, `and`, ...
        subject: the reason for staging, a condition or an iterable; None if the node shows it.
        place: its location; None outside of user code.
        graph: the graph that was being recorded.
        node: the statement's node, if it has regions.
        before: the variables that it may change, at its start.
        after: those of them that are used later, at its end.
        reads: variables from before it that it only reads.
        names: the names in the user's own code; the conversion adds others.
    """

    kind: str
    subject: object
    place: SourceLocation | None
    graph: Graph
    node: Node | None
    before: tuple[DisplayedVariable, ...] = ()
    after: tuple[DisplayedVariable, ...] = ()
    reads: tuple[DisplayedVariable, ...] = ()
    names: frozenset[str] = frozenset()


@dataclass(eq=False, repr=False)
class StagingLog:
    """Collects entries, in the order in which statements were finished.

    A loop's body may be traced more than once, and only one trace of it becomes part of the graph:
    an entry counts if its `graph` is the root or one of the regions in it.

    Attributes:
        notes: the entries.
        root: the outermost graph of the trace.
        begun: the statements that are being staged, innermost last.
    """

    notes: list[StagedEntry] = field(default_factory=list)
    root: Graph | None = None
    begun: list[_LogEntry] = field(default_factory=list)


_LOG: ContextVar[StagingLog | None] = ContextVar("staging_log", default=None)
_NO_LOG = nullcontext()


@contextmanager
def listening(log: StagingLog) -> Iterator[StagingLog]:
    """Collect entries for the statements that are staged in a block."""
    token = _LOG.set(log)
    try:
        yield log
    finally:
        _LOG.reset(token)


def is_logged() -> bool:
    """Return whether a log collects the staged statements.

    >>> is_logged()
    False
    """
    return _LOG.get() is not None


def staging(kind: str, subject: object, state: State | None = None) -> AbstractContextManager[None]:
    """Return a context manager for the staging of one statement, which is logged at its end.

    Args:
        kind: the keyword of the statement or expression.
        subject: the tensor it was staged for.
        state: the variables it may change.

    >>> with staging("if", None):
    ...     pass
    """
    log = _LOG.get()
    return _NO_LOG if log is None else _LogEntry(log, kind, subject, state)


def log_places(columns: Iterable[tuple[str, object, object]]) -> None:
    """Log the places that the statement being staged was seen to change.

    Each has its name, and its values before and after the statement.
    """
    log = _LOG.get()
    if log is not None and log.begun:
        log.begun[-1].places += columns


class _LogEntry:
    """Logs one staged statement at its end; a statement that fails gets no entry."""

    def __init__(self, log: StagingLog, kind: str, subject: object, state: State | None) -> None:
        self._log, self._kind, self._subject, self._state = log, kind, subject, state
        self._graph = current_recorder()
        self.places: list[tuple[str, object, object]] = []

    def __enter__(self) -> None:
        self._log.begun.append(self)
        if isinstance(self._graph, Graph):
            self._log.root = outermost(self._graph)
            self._place, self._before = user_location(), _variables(self._state)
            self._start = len(self._graph.nodes)

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self._log.begun.pop()
        graph = self._graph
        if kind is not None or not isinstance(graph, Graph):
            return
        nodes = reversed(graph.nodes[self._start :])
        node = next((node for node in nodes if node.regions), None)
        log, state, frame = self._log, self._state, _user_frame()
        names = _users_names(frame)
        places = tuple(self._further_places(frame, names))
        log.notes.append(
            StagedEntry(
                self._kind,
                self._subject,
                self._place,
                graph,
                node,
                (*self._before, *(displayed_variable(n, before) for n, before, _ in places)),
                (
                    *_variables(state)[: state.nouts if state else 0],
                    *(displayed_variable(n, after) for n, _, after in places),
                ),
                _reads(node, frame, names.difference(each.name for each in self._before)),
                names.union(_root(name) for name, _, _ in places),
            )
        )

    def _further_places(
        self, frame: FrameType | None, names: frozenset[str]
    ) -> Iterator[tuple[str, object, object]]:
        """Yield the changed places that are neither its variables nor in synthetic ones."""
        variables = {each.name for each in self._before}
        code = frame.f_code if frame is not None else None
        local = (*code.co_varnames, *code.co_cellvars, *code.co_freevars) if code else ()
        synthetic = variables.union(local) - names
        for name, before, after in self.places:
            shown = _shown(name, frame)
            if shown not in variables and _root(shown) not in synthetic:
                yield shown, before, after


def _users_names(frame: FrameType | None) -> frozenset[str]:
    """Return the names in the user's own code, of globals and attributes as well."""
    part = code_info_of(frame.f_code) if frame is not None else None
    if part is None:
        return frozenset()
    code = (part.original or part.within or (lambda: None))()
    return part.names.union(code.co_names if code is not None else ())


def _variables(state: State | None) -> tuple[DisplayedVariable, ...]:
    if state is None:
        return ()
    return tuple(displayed_variable(name, value) for name, value in zip(state.names, state.get()))


def _shown(place: str, frame: FrameType | None) -> str:
    """Return the name of a place in the function that runs; a list stands for all its items."""
    module = str(frame.f_globals.get("__name__")).rpartition(".")[2] if frame is not None else ""
    return place.removeprefix(f"{module}.").removesuffix("[:]")


def _root(name: str) -> str:
    return re.split(r"[.\[]", name)[0]


def _user_frame() -> FrameType | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_internal_frame(frame):
        frame = frame.f_back
    return frame


def _reads(
    node: Node | None, frame: FrameType | None, names: frozenset[str]
) -> tuple[DisplayedVariable, ...]:
    """Return the variables whose values are operands of a node."""
    if node is None or frame is None:
        return ()
    variables = {name: value for name, value in frame.f_locals.items() if name in names}
    holders = {id(value): name for name, value in reversed(variables.items())}
    found = dict.fromkeys(holders.get(id(_outer(tensor))) for tensor in node.inputs)
    return tuple(displayed_variable(name, variables[name]) for name in found if name is not None)


def _outer(tensor: SymbolicTensor) -> object:
    """Return the outermost value of a captured tensor; any other tensor itself."""
    held = (each.outer for each in tensor.graph.captures if each.inner is tensor)
    outer: object = next(held, tensor)
    return _outer(outer) if isinstance(outer, SymbolicTensor) and outer is not tensor else outer


def outermost(graph: Graph) -> Graph:
    """Return the graph a region is part of; the root itself for a root.

    >>> root = Graph("f")
    >>> outermost(Graph("then", outer=root)) is root
    True
    """
    while graph.outer is not None:
        graph = graph.outer
    return graph


# -- variables -------------------------------------------------------------------------------------


class DisplayedVariable(NamedTuple):
    """The display of one variable at one point of a trace.

    Attributes:
        name: the variable, as in the state of the statement.
        text: its value in short: `float32[2,?]`, `3`, `(int32[], 'a')`.
        marks: any of `unbound`, `perhaps unbound`, `perhaps None`, `dynamic list`.
        dtype: the dtype of a tensor.
        shape: the shape of a tensor.
    """

    name: str
    text: str
    marks: tuple[str, ...] = ()
    dtype: rt.DType | None = None
    shape: rt.TensorShape | None = None

    def __str__(self) -> str:
        words = [self.text, *(f"({mark})" for mark in self.marks)]
        return f"{self.name}: {' '.join(word for word in words if word)}"


def displayed_variable(name: str, value: object) -> DisplayedVariable:
    """Return the display of the variable `name` with `value`.

    >>> str(displayed_variable("x", rt.constant([1.0, 2.0])))
    'x: float32[2]'
    >>> str(displayed_variable("n", 3))
    'n: 3'
    """
    if isinstance(value, PossiblyUnbound):
        inner = displayed_variable(name, value.value)
        mark = PERHAPS_NONE if value.absent == "none" else PERHAPS_UNBOUND
        return DisplayedVariable(name, inner.text, (mark, *inner.marks), inner.dtype, inner.shape)
    if type(value).__name__ == "OptionalValue":
        inner = displayed_variable(name, getattr(value, "value", None))
        return DisplayedVariable(
            name, inner.text, (PERHAPS_NONE, *inner.marks), inner.dtype, inner.shape
        )
    if isinstance(value, (Undefined, UndefinedReturnValue, StoredElsewhere)):
        return DisplayedVariable(name, "", (UNBOUND,))
    if isinstance(value, (rt.Tensor, rt.Variable)):
        return DisplayedVariable(name, described(value), (), value.dtype, value.shape)
    return DisplayedVariable(name, described(value), (DYNAMIC_LIST,) if _is_dynamic(value) else ())


def described(value: object) -> str:
    """Return the short text of a value.

    >>> described((rt.constant(1), "a"))
    "(int32[], 'a')"
    """
    if isinstance(value, (rt.Tensor, rt.Variable)):
        shape = _dims(value.shape)
        return f"{value.dtype.name}{shape}"
    if type(value) in (bool, int, float, complex, str, bytes, type(None)):
        return _short(repr(value))
    if type(value) is tuple or isinstance(value, list):
        return _sequence(value)
    if type(value) is dict:
        return _short("{" + ", ".join(f"{k!r}: {described(v)}" for k, v in value.items()) + "}")
    return type(value).__name__


def _sequence(values: list[object] | tuple[object, ...]) -> str:
    if _is_dynamic(values):
        return "list"
    items = [described(value) for value in values[:_MOST_ITEMS]]
    if len(values) > _MOST_ITEMS:
        items.append(f"... {len(values)} items")
    if isinstance(values, list):
        return f"[{', '.join(items)}]"
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _is_dynamic(value: object) -> bool:
    return isinstance(value, list) and any(type(item).__name__ == "DynamicItems" for item in value)


def _dims(shape: rt.TensorShape) -> str:
    if shape.dims is None:
        return "[...]"
    return f"[{','.join('?' if dim is None else str(dim) for dim in shape.dims)}]"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
