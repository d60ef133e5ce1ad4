"""The recording context: the current graph, and the user's line of each op."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextvars import Context, ContextVar, Token, copy_context
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from weakref import ref

from runtime.core.weak_tables import dropping

if TYPE_CHECKING:
    from runtime.core.tensor import SymbolicTensor, Tensor

# NumPy is among them since it calls back into tensors: np.sum(x) is a line of the user's; runpy
# starts what `python -m` runs.
INTERNAL_PACKAGES = ("runtime", "autograph", "numpy", "runpy")

# What stands between a `with` or a call of the user's and what it calls.
_PLUMBING = ("contextlib", "functools")

# Under `python -m autograph` this file is called `__main__`, as a script of the user's would be.
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
_COMMAND_LINE = os.path.join(_ROOT, "autograph", "__main__.py")


@dataclass(frozen=True, slots=True)
class Origin:
    """A position in the user's source: the line a node stems from.

    Attributes:
        calls: where the calls are that led there, outermost first, if they are to be shown.
    """

    filename: str
    line: int
    function: str
    column: int | None = None
    end_column: int | None = None
    calls: tuple[Origin, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}, in {self.function}"

    def line_text(self) -> str:
        """Return the line as it is written, nothing if it cannot be read."""
        return linecache.getline(self.filename, self.line).strip()


class Recorder(Protocol):
    """The interface of a recording graph to ops."""

    def record(
        self,
        op: Any,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, object],
        regions: Sequence[Any] = (),
    ) -> tuple[SymbolicTensor, ...]:
        """Append one node for `op` and return handles to its outputs."""


_RECORDER: ContextVar[Recorder | None] = ContextVar("recorder", default=None)

# The recorder that code runs beside which computes at once; else the current one.
_AROUND: ContextVar[Recorder | None] = ContextVar("recorder_around", default=None)

current_recorder = _RECORDER.get
"""Return the recorder ops go to, or None when they are computed at once."""

recorder_around = _AROUND.get
"""Return the recorder that is current, or was where code began that computes at once."""


def last_for_session() -> Any:
    """Return the node recorded last in a graph that a session runs by what is asked for, else None.

    >>> last_for_session() is None
    True
    """
    recorder: Any = _RECORDER.get()
    return None if getattr(recorder, "fetched", None) is None else recorder.nodes[-1]


def restore_context(before: Context) -> None:
    """Give every context variable the value it had, or its default if it had none.

    Ctrl-C may arrive inside of the very context manager that would have put a value back.

    >>> before = copy_context()
    >>> left: Any = "left behind"
    >>> _ = _AROUND.set(left)
    >>> restore_context(before)
    >>> recorder_around() is None
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
    """The interface of a gradient tape to ops."""

    def note(
        self,
        graph: Any,
        op: Any,
        inputs: Sequence[Any],
        attrs: Mapping[str, object],
        outputs: Sequence[Tensor],
    ) -> None:
        """An op was computed, or, where there is one, recorded in `graph`."""

    def follows(self, graph: Any) -> bool:
        """Tell whether it wants to know what is recorded in `graph`."""

    def watches(self, value: Any) -> bool:
        """Tell whether a value depends on what is watched."""


_WATCHERS: ContextVar[tuple[Watcher, ...]] = ContextVar("watchers", default=())

current_watchers = _WATCHERS.get
"""Return the gradient tapes that are told of each op, the innermost last."""


def set_watchers(watchers: tuple[Watcher, ...]) -> None:
    """Set the functions that are told of each op from now on."""
    _WATCHERS.set(watchers)


class recording:
    """Make `recorder` the current one; `recording(None)` computes eagerly, even inside a trace.

    A class, since a generator would set attributes of the exceptions that come through it, which
    not all exceptions let be done.

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


class sketching(recording):
    """Record into a graph that nobody runs, to see shapes.

    What computes at once inside, such as the making of weights, is beside the graph around it.

    >>> with sketching(None):
    ...     current_recorder() is None
    True
    """

    __slots__ = ()

    def __enter__(self) -> Recorder | None:
        self._token = _RECORDER.set(self._recorder)
        self._around = None
        return self._recorder


_CALLS: ContextVar[Callable[[], Sequence[Origin]] | None] = ContextVar("calls", default=None)

calls_told = _CALLS.get
"""Return what tells of the calls of the user's that led here, or None when nothing does."""


class telling_calls:
    """Let `tell` say which calls led to what is recorded, the outermost first.

    >>> with telling_calls(lambda: [Origin("model.py", 7, "f")]):
    ...     [str(each) for each in calls_told()()]
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


def is_internal_frame(frame: FrameType) -> bool:
    """Tell whether a frame is ours, NumPy's or the interpreter's starter: not the user's.

    Converted code runs under the user's own globals, file and lines, so it counts as the user's.

    >>> is_internal_frame(sys._getframe())  # the frame of this very module
    True
    """
    module = frame.f_globals.get("__name__") or ""
    if module == "__main__":
        return _starts_the_command_line(frame)
    return module.partition(".")[0] in INTERNAL_PACKAGES


def is_plumbing(frame: FrameType) -> bool:
    """Tell whether a frame is of what stands between a `with` or call of the user's and its end.

    >>> is_plumbing(sys._getframe())
    False
    """
    return frame.f_globals.get("__name__") in _PLUMBING


def _starts_the_command_line(frame: FrameType) -> bool:
    """Tell whether this is `python -m autograph`, or the script an installer wrote for it."""
    if frame.f_code.co_filename == _COMMAND_LINE:
        return True
    return getattr(frame.f_globals.get("main"), "__module__", None) == "autograph.__main__"


class _Skipped(dict[Any, bool]):
    """For the name of a module whether its frames are no user's, whatever else they hold."""

    def __missing__(self, name: Any) -> bool:
        is_skipped = (name or "").partition(".")[0] in INTERNAL_PACKAGES or name in _PLUMBING
        if len(self) < _MOST_MODULES:
            self[name] = is_skipped
        return is_skipped


_USER, _LIBRARY, _BETWEEN = range(3)


class _Sides(dict[Any, int]):
    """For the name of a module whose its frames are: the user's, the library's, or of what stands
    between a user's call and the library.
    """

    def __missing__(self, name: Any) -> int:
        words = (name or "").split(".")
        stands = name == "runtime.core.lazy_imports" or (
            words[0] == "autograph" and words[1:2] != ["compat"]
        )
        side = (_BETWEEN if stands else _LIBRARY) if _SKIPPED[name] else _USER
        if len(self) < _MOST_MODULES:
            self[name] = side
        return side


_MOST_MODULES = 10_000
_SKIPPED = _Skipped()
_SIDES = _Sides()


def caller_origin() -> Origin | None:
    """Return the position of the innermost frame of the user's, or None when there is none."""
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
    return Origin(code.co_filename, line_of(frame), code.co_name)


class Call(NamedTuple):
    """A call of the library's by the user's code, of which something is recorded now.

    Attributes:
        caller: the innermost frame of the user's, None where there is none.
        function: the frame of the library's function that it called, None where there is none;
            frames of the converter and of imports on first use, which may stand between, do not
            count. Neither frame is to be kept, since it holds what the user passed.
        progress: how far the call and those inside it are: greater at each node, but in loops.
    """

    caller: FrameType | None
    function: FrameType | None
    progress: list[int]


def call_by_user() -> Call:
    """Return the call of the library's that the innermost frame of the user's makes."""
    frame: FrameType | None = sys._getframe(1)
    function: FrameType | None = None
    progress: list[int] = []
    while frame is not None:
        name = frame.f_globals.get("__name__")
        side = _SIDES[name]
        if not side and not (name == "__main__" and _starts_the_command_line(frame)):
            progress.reverse()
            return Call(frame, function, progress)
        progress.append(frame.f_lasti)
        if side != _BETWEEN:
            function = frame
        frame = frame.f_back
    return Call(None, None, progress)


# From how many bytes on, of what code says of its lines, a table is quicker.
_LONG_TABLE = 400

_LineTable = tuple[list[int], "list[int | None]"]
_line_tables: dict[int, tuple[ref[CodeType], _LineTable]] = {}


def line_of(frame: FrameType) -> int:
    """Return the line of `frame.f_lineno`, for long functions from a table.

    Python reads all that a code object says of its lines, from the first one on, each time it is
    asked. Asked for each statement of a function, that takes as long as the square of its length.

    >>> line_of(sys._getframe()) == sys._getframe().f_lineno
    True
    """
    code = frame.f_code
    if len(code.co_linetable) < _LONG_TABLE:
        return frame.f_lineno
    starts, lines = _line_table(code)
    # What runs when nothing has begun yet stands before the first instruction.
    line = lines[_place_in(starts, frame.f_lasti)] if frame.f_lasti >= 0 else None
    return frame.f_lineno if line is None else line


def _place_in(starts: list[int], at: int) -> int:
    """Return the last place whose start is not beyond `at`; `bisect` would be one more import."""
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
        found = dropping(code, _line_tables, identity), _lines_in(code)
        _line_tables[identity] = found
    return found[1]


def _lines_in(code: CodeType) -> _LineTable:
    """Return the positions in the code where a line begins, and the lines, in order."""
    starts: list[int] = []
    lines: list[int | None] = []
    for start, _, line in code.co_lines():
        if not lines or line != lines[-1]:
            starts.append(start)
            lines.append(line)
    return starts, lines
