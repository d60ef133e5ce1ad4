"""The recording context: the current graph, and the user's line of each op."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextvars import Context, ContextVar, Token, copy_context
from dataclasses import dataclass, field
from inspect import CO_GENERATOR
from itertools import chain, islice
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from weakref import ref

from runtime.core.lazy_imports import lazy_import
from runtime.core.weak_tables import weakref_removing

if TYPE_CHECKING:
    from runtime.core.tensor import SymbolicTensor, Tensor

line_name = lazy_import("runtime.core.source_names:line_name")

# NumPy is included since it calls back into tensors: np.sum(x) is a line of the user's code. runpy
# starts programs for `python -m`.
INTERNAL_PACKAGES = ("runtime", "autograph", "numpy", "runpy")

# Standard modules whose frames are between a `with` or a call of the user's and its target.
_PLUMBING = ("contextlib", "functools")

# The end of the names of modules that stand in for compiled ones (`pure_python_module`).
_IN_PYTHON = " in Python"

# The module in which a trace begins.
_TRACES = "autograph.functions.tracing.trace"

# Under `python -m autograph` this file is called `__main__`, as a user's script would be.
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
_COMMAND_LINE = os.path.join(_ROOT, "autograph", "__main__.py")


@dataclass(slots=True, unsafe_hash=True)
class Origin:
    """A position in the user's source: the line that recorded a node.

    Attributes:
        calls: the positions of the calls that led there, outermost first, if errors show them.
        instruction: the code and the offset in it, by which errors find the columns.
        scope: the name scopes and layers around it in which a node was recorded, if any.

    >>> Origin("model.py", 12, "loss").line
    12
    """

    filename: str
    line: int
    function: str
    column: int | None = None
    end_column: int | None = None
    calls: tuple[Origin, ...] = field(default=(), compare=False, repr=False)
    instruction: tuple[ref[CodeType], int] | None = field(default=None, compare=False, repr=False)
    scope: str = field(default="", compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        place = (self.filename, self.line, self.function, self.column, self.end_column)
        return Origin, (*place, self.calls)

    def __str__(self) -> str:
        return f"{line_name(self.filename, self.line)}, in {self.function}"

    def line_text(self) -> str:
        """Return the text of the line, "" if it cannot be read."""
        return linecache.getline(self.filename, self.line).strip()


class Recorder(Protocol):
    """A graph that records, as ops see it."""

    def record(
        self,
        op: Any,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, object],
        regions: Sequence[Any] = (),
    ) -> tuple[SymbolicTensor, ...]:
        """Append one node for `op` and return handles to its outputs."""


_RECORDER: ContextVar[Recorder | None] = ContextVar("recorder", default=None)

# The current recorder, or the one around code that is executed eagerly inside of a trace.
_AROUND: ContextVar[Recorder | None] = ContextVar("recorder_around", default=None)

current_recorder = _RECORDER.get
"""Return the recorder of ops, None if they are executed eagerly."""

enclosing_recorder = _AROUND.get
"""Return the current recorder, or the one around code that is executed eagerly."""


def last_session_node() -> Any:
    """Return the last node of a graph that a session runs by fetches, None for other graphs.

    >>> last_session_node() is None
    True
    """
    recorder: Any = _RECORDER.get()
    return None if getattr(recorder, "fetch_state", None) is None else recorder.nodes[-1]


def restore_context(before: Context) -> None:
    """Restore the value of each context variable, or its default if it had no value.

    Ctrl-C may arrive inside of the context manager that would have restored a value.

    >>> before = copy_context()
    >>> left: Any = "left behind"
    >>> _ = _AROUND.set(left)
    >>> restore_context(before)
    >>> enclosing_recorder() is None
    True
    """
    defaults = Context()
    for variable, value in copy_context().items():
        try:
            then = before[variable] if variable in before else defaults.run(variable.get)
        except LookupError:  # it has no default
            continue
        if then is not value:
            variable.set(then)


class Watcher(Protocol):
    """A gradient tape, as ops see it."""

    def note(
        self,
        graph: Any,
        op: Any,
        inputs: Sequence[Any],
        attrs: Mapping[str, object],
        outputs: Sequence[Tensor],
    ) -> None:
        """Take note of an op that was executed or, if `graph` is not None, recorded in it."""

    def records_in(self, graph: Any) -> bool:
        """Return whether the tape records ops of `graph`; of eager execution for None."""

    def watches(self, value: Any) -> bool:
        """Return whether a value depends on a watched value."""

    def note_number(self, path: tuple[object, ...]) -> None:
        """Take note of the path from the place where a number was made of a watched value."""


_WATCHERS: ContextVar[tuple[Watcher, ...]] = ContextVar("watchers", default=())

current_watchers = _WATCHERS.get
"""Return the gradient tapes that are notified of each op, the innermost last."""


def set_watchers(watchers: tuple[Watcher, ...]) -> None:
    """Set the tapes that are notified of each op from now on."""
    _WATCHERS.set(watchers)


class recording:
    """A context manager that records ops in `recorder`, or executes them eagerly if it is None.

    It is a class, since a context manager from a generator would set attributes of exceptions that
    pass through it, which not all exceptions allow.

    >>> with recording(None):
    ...     current_recorder() is None
    True
    """

    __slots__ = ("_around", "_recorder", "_token")
    _token: Token[Recorder | None]
    _around: Token[Recorder | None] | None

    def __init__(self, recorder: Recorder | None) -> None:
        self._recorder = recorder

    def __enter__(self) -> Recorder | None:
        self._token = _RECORDER.set(self._recorder)
        self._around = None if self._recorder is None else _AROUND.set(self._recorder)
        return self._recorder

    def __exit__(self, *exception: object) -> None:
        _RECORDER.reset(self._token)
        if self._around is not None:
            _AROUND.reset(self._around)


class inferring_shapes(recording):
    """A context manager that records ops in a graph that never runs, to infer shapes.

    Code that is executed eagerly inside, such as the creation of weights, belongs to the enclosing
    recorder.

    >>> with inferring_shapes(None):
    ...     current_recorder() is None
    True
    """

    __slots__ = ()

    def __enter__(self) -> Recorder | None:
        self._token = _RECORDER.set(self._recorder)
        self._around = None
        return self._recorder


_CALLS: ContextVar[Callable[[], Sequence[Origin]] | None] = ContextVar("calls", default=None)

call_path_finder = _CALLS.get
"""Return the function that finds the user's calls that led here, or None."""


class finding_call_path:
    """A context manager: `tell` returns the calls that led to a node, outermost first.

    >>> with finding_call_path(lambda: [Origin("model.py", 7, "f")]):
    ...     [str(each) for each in call_path_finder()()]
    ['model.py:7, in f']
    """

    __slots__ = ("_tell", "_token")
    _token: Token[Callable[[], Sequence[Origin]] | None]

    def __init__(self, tell: Callable[[], Sequence[Origin]]) -> None:
        self._tell = tell

    def __enter__(self) -> None:
        self._token = _CALLS.set(self._tell)

    def __exit__(self, *exception: object) -> None:
        _CALLS.reset(self._token)


def is_in_generator() -> bool:
    """Return whether a generator of the user's is running, inside of the trace if there is one.

    >>> is_in_generator()
    False
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") != _TRACES:
        if frame.f_code.co_flags & CO_GENERATOR and not is_internal_frame(frame):
            return True
        frame = frame.f_back
    return False


def is_internal_frame(frame: FrameType) -> bool:
    """Return whether a frame is of this project, NumPy or `runpy`: not the user's.

    Converted code runs with the user's globals, file and lines, so it counts as the user's.

    >>> is_internal_frame(sys._getframe())  # the frame of this very module
    True
    """
    module = frame.f_globals.get("__name__") or ""
    if module == "__main__":
        return _starts_the_command_line(frame)
    return module.partition(".")[0] in INTERNAL_PACKAGES


def is_plumbing(frame: FrameType) -> bool:
    """Return whether a frame is of a module between a user's `with` or call and its target.

    >>> is_plumbing(sys._getframe())
    False
    """
    return frame.f_globals.get("__name__") in _PLUMBING


def _starts_the_command_line(frame: FrameType) -> bool:
    """Return whether a frame is that of `python -m autograph`, or of its installed script."""
    if frame.f_code.co_filename == _COMMAND_LINE:
        return True
    return getattr(frame.f_globals.get("main"), "__module__", None) == "autograph.__main__"


class _Skipped(dict[Any, bool]):
    """By the name of a module, whether its frames are never the user's."""

    def __missing__(self, name: Any) -> bool:
        text = name or ""
        is_skipped = (
            text.partition(".")[0] in INTERNAL_PACKAGES
            or text in _PLUMBING
            or text.endswith(_IN_PYTHON)
        )
        if len(self) < _MOST_MODULES:
            self[name] = is_skipped
        return is_skipped


_USER, _LIBRARY, _CONVERTER = range(3)


class _FrameOwners(dict[Any, int]):
    """Classifies a frame as user, library or converter code, by the name of its module.

    Lazy imports, which run between a user's call and the library, count as converter code.
    """

    def __missing__(self, name: Any) -> int:
        words = (name or "").split(".")
        is_converter = name == "runtime.core.lazy_imports" or (
            words[0] == "autograph" and words[1:2] != ["compat"]
        )
        owner = (_CONVERTER if is_converter else _LIBRARY) if _SKIPPED[name] else _USER
        if len(self) < _MOST_MODULES:
            self[name] = owner
        return owner


_MOST_MODULES = 10_000
_SKIPPED = _Skipped()
_OWNERS = _FrameOwners()


def caller_origin() -> Origin | None:
    """Return the position of the user's innermost frame, None if there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_globals.get("__name__")
        if not (_SKIPPED[name] or (name == "__main__" and _starts_the_command_line(frame))):
            return origin_of(frame)
        frame = frame.f_back
    return None


def origin_of(frame: FrameType) -> Origin:
    """Return the position of a frame."""
    code = frame.f_code
    place = Origin(code.co_filename, line_of(frame), code.co_name)
    place.instruction = ref(code), frame.f_lasti
    return place


class LibraryCall(NamedTuple):
    """A call of the library by user code, during which a node is recorded.

    Attributes:
        caller: the user's innermost frame, None if there is none.
        function: the frame of the library's function that it called, None if there is none; frames
            of the converter and of lazy imports in between do not count. Do not keep either frame,
            since it keeps the user's values alive.
        progress: the positions in the call and in those inside of it: greater at each node, except
            in loops.
    """

    caller: FrameType | None
    function: FrameType | None
    progress: list[int]


def call_by_user() -> LibraryCall:
    """Return the library call that the user's innermost frame makes."""
    frame: FrameType | None = sys._getframe(1)
    function: FrameType | None = None
    progress: list[int] = []
    while frame is not None:
        name = frame.f_globals.get("__name__")
        owner = _OWNERS[name]
        if not owner and not (name == "__main__" and _starts_the_command_line(frame)):
            progress.reverse()
            return LibraryCall(frame, function, progress)
        progress.append(frame.f_lasti)
        if owner != _CONVERTER:
            function = frame
        frame = frame.f_back
    return LibraryCall(None, None, progress)


# The length in bytes of a line table from which on a cached table is faster.
_LONG_TABLE = 400

_LineTable = tuple[list[int], "list[int | None]"]
_line_tables: dict[int, tuple[ref[CodeType], _LineTable]] = {}


def line_of(frame: FrameType) -> int:
    """Return `frame.f_lineno`, with a cached table for long functions.

    Python decodes the line table of a code object from its start at each access. For all statements
    of a function, this takes quadratic time. Synthetic code that has no line gets the next line in
    the code: the test of a flag has the line of the first statement that it guards.

    >>> line_of(sys._getframe()) == sys._getframe().f_lineno
    True
    """
    code = frame.f_code
    line: int | None
    if len(code.co_linetable) < _LONG_TABLE:
        line = frame.f_lineno
        if line is not None:
            return line
    starts, lines = _line_table(code)
    # Code that runs before the first instruction has no line in the table.
    if frame.f_lasti < 0:
        return frame.f_lineno
    at = _place_in(starts, frame.f_lasti)
    line = lines[at]
    if line is not None:
        return line
    nearest = chain(islice(lines, at, None), reversed(lines[:at]))
    return next((each for each in nearest if each is not None), code.co_firstlineno)


def _place_in(starts: list[int], at: int) -> int:
    """Return the last index whose start is at most `at`; `bisect` would be another import."""
    low, high = 0, len(starts)
    while low < high:
        middle = (low + high) // 2
        if starts[middle] > at:
            high = middle
        else:
            low = middle + 1
    return low - 1


def _line_table(code: CodeType) -> _LineTable:
    identity = id(code)
    found = _line_tables.get(identity)
    if found is None or found[0]() is not code:
        found = weakref_removing(code, _line_tables, identity), _lines_in(code)
        _line_tables[identity] = found
    return found[1]


def _lines_in(code: CodeType) -> _LineTable:
    """Return the positions in the code at which a line begins, and these lines, in order."""
    starts: list[int] = []
    lines: list[int | None] = []
    for start, _, line in code.co_lines():
        if not lines or line != lines[-1]:
            starts.append(start)
            lines.append(line)
    return starts, lines
