"""Tracks effects of Python code that cannot be undone: files, processes, queues.

with open(path, "a") as file: file.write("traced")
self.count += 1       only the trace shows that this is state; a second trace would write once more

A trace with such an effect is not repeated, if that can be avoided: it serves its call alone.
"""

from __future__ import annotations

import ast
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from threading import get_ident
from types import BuiltinFunctionType, FrameType, MethodType, ModuleType
from typing import Any

from autograph.backends.graph.objects.opaque_state import OpaqueKind, OpaqueObject, opaque
from autograph.backends.graph.source.library_boundary import is_library_file
from autograph.errors import TraceEffectWarning
from autograph.operators.call_listeners import listen
from autograph.operators.user_classes import is_a
from runtime.core.context import Origin, caller_origin, current_recorder, origin_of
from runtime.core.lazy_imports import lazy_import
from runtime.core.source_names import warn_at
from runtime.core.tensor import SymbolicTensor

expression_in = lazy_import("runtime.diagnostics.source_expressions:expression_in")
text_of = lazy_import("runtime.diagnostics.source_expressions:text_of")

_WRITING = frozenset("wax+")
_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# The names in CPython's table of audit events.
_EVENTS = frozenset(
    "os.remove os.rename os.mkdir os.rmdir os.link os.symlink os.truncate os.chmod os.chown "
    "os.system os.exec os.posix_spawn os.spawn os.fork os.kill subprocess.Popen "
    "shutil.copyfile shutil.move shutil.rmtree shutil.copytree shutil.make_archive "
    "socket.connect socket.sendto socket.sendmsg sqlite3.connect tempfile.mkdtemp".split()
)
# Modules with classes whose objects threads share.
_SHARED = ("queue", "_queue", "threading", "_thread", "multiprocessing")
_QUERIES = frozenset(
    "qsize empty full locked is_set is_alive get_ident get_native_id current_thread main_thread "
    "active_count enumerate stack_size getName".split()
)


_WRITING_METHODS = frozenset("dump truncate write writelines writerow writerows".split())
_WRITING_MODULES = ("_csv", "csv", "_pickle", "json", "pickle")
_LATER = "do that after the statement, or in an rt.py_function"


class IrreversibleEffects:
    """The effects of a trace in progress.

    Attributes:
        thread: the thread whose code is watched.
        recorder: the recorder of the trace.
        found: the texts of the effects, each with the user's line.
    """

    def __init__(self) -> None:
        self.thread, self.recorder = get_ident(), current_recorder()
        self.found: list[str] = []
        self._warned: set[Origin] = set()
        listen(self)
        _listen(self)

    def note(self, callee: Any) -> None:
        """Record a call that writes to an open file, or a method of an object that threads share.

        Objects whose contents can be compared are left out: `opaque_state` covers them.
        """
        if _writes_file(callee):
            return self.record_output(callee.__name__)
        if type(callee) in (MethodType, BuiltinFunctionType) and _is_shared(callee.__self__):
            name = callee.__name__
            if name not in _QUERIES:
                self.add(f"{type(callee.__self__).__name__}.{name}()")

    def add(self, effect: str) -> None:
        """Record an effect."""
        origin = _users_origin()
        self.found.append(effect if origin is None else f"{effect} at {origin}")
        self._warn_in_statement(effect, _LATER)

    def record_output(self, call: str, values: Iterable[object] = ()) -> None:
        """Take note that Python prints or writes while the function is traced."""
        text = _users_call(call)
        is_formatted = any(map(_formats_tensors, values))
        where = "where tensors have no values to format" if is_formatted else ""
        self._warn_in_statement(text, f"write rt.{text}" if call == "print" else _LATER, where)

    def _warn_in_statement(self, effect: str, instead: str, otherwise: str = "") -> None:
        """Warn once of an effect in a staged statement, which happens whatever the run decides.

        Args:
            effect: the effect, as the user writes it.
            instead: the remedy.
            otherwise: the reason to warn outside of staged statements as well; "" for none.
        """
        origin = _users_origin()
        is_staged = getattr(current_recorder(), "outer", None) is not None
        if origin is None or not (is_staged or otherwise):
            return
        if origin not in self._warned:
            self._warned.add(origin)
            where = "in a statement that is staged, where all branches are traced"
            message = (
                f"{effect} happened while tracing, {where if is_staged else otherwise}, and does "
                f"not happen when the graph runs: {instead}"
            )
            warn_at(origin, message, TraceEffectWarning)


def _formats_tensors(value: object) -> bool:
    """Return whether a printed value is a text of tensors with a format: `f"{x:.2f}"`."""
    if type(value) is not SymbolicTensor or value.node.op.name != "format_values":
        return False
    return bool(value.node.attrs["template"].formats_values)


def warn_of_effects(effects: Sequence[str], name: str = "the function") -> None:
    """Warn of the effects of a trace that is repeated, so that they happen again.

    Args:
        effects: the texts of the effects.
        name: the name of the function.
    """
    if effects:
        message = (
            f"{name} has an effect while it is traced, which takes it two traces: {effects[0]}. "
            "It happens in both, and in no other call: do that before the call, or in an "
            "rt.py_function, which runs in each call"
        )
        warn_at(caller_origin(), message, TraceEffectWarning)


# -- files that are open ---------------------------------------------------------------------------


def written(value: Any) -> OpaqueObject | None:
    """Return the opaque state of a file object; None for other values.

    The state of a file that is open for writing is its position: restoring it cuts the file there.
    """
    return OpaqueObject(value, _FILE) if is_a(value, _FILES) else None


def _end_of(file: Any) -> tuple[object, ...]:
    try:
        if file.closed or not file.writable() or not file.seekable() or file.fileno() < 3:
            return ()
        return (file.tell(),)
    except (OSError, ValueError):
        return ()


def _cut(file: Any, before: Any) -> None:
    if before and not file.closed:
        file.seek(before[0])
        file.truncate()


_FILES = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom, io.FileIO)
_FILE = OpaqueKind("file", _end_of, _cut, "write after the statement")

# -- audit events of the interpreter ---------------------------------------------------------------


_LISTENERS: list[IrreversibleEffects] = []
_HOOKS: list[Callable[[str, tuple[Any, ...]], None]] = []


def _listen(effects: IrreversibleEffects) -> None:
    """Listen to the interpreter's audit events: opened files, processes and the like."""
    _LISTENERS.append(effects)
    if not _HOOKS:
        _HOOKS.append(_audited)
        sys.addaudithook(_audited)


def stop_listening(recorder: object) -> None:
    """Remove the listeners of a recorder."""
    _LISTENERS[:] = [each for each in _LISTENERS if each.recorder is not recorder]


def _audited(event: str, arguments: tuple[Any, ...]) -> None:
    if not _LISTENERS or not (event == "open" or event in _EVENTS):
        return
    if (event == "open" and not _is_for_writing(*arguments[1:3])) or _is_importing():
        return
    subject = f"({arguments[0]!r})" if arguments and isinstance(arguments[0], str) else "()"
    for each in _LISTENERS:
        if each.thread == get_ident():
            each.add(f"{event}{subject}")


def _is_for_writing(mode: Any, flags: Any) -> bool:
    if isinstance(mode, str):
        return not _WRITING.isdisjoint(mode)
    return isinstance(flags, int) and bool(flags & _FLAGS)


def _is_importing() -> bool:
    """Return whether an import is running: Python writes the module's compiled code to a file."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def _users_origin() -> Origin | None:
    """Return the innermost line outside of libraries, such as that of a call of `os.makedirs`."""
    frame = _users_frame()
    return caller_origin() if frame is None else origin_of(frame)


def _users_frame() -> FrameType | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_library_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _users_call(name: str) -> str:
    """Return the text of the call outside of libraries, which calls a function called `name`."""
    frame = _users_frame()
    node = None if frame is None else expression_in(frame, name)
    text = None if node is None else text_of(node)
    if isinstance(node, ast.Call):
        return text or f"{text_of(node.func) or name}(...)"
    return f"{text or name}(...)"


def _writes_file(callee: Any) -> bool:
    """Return whether a callable is a library's function or method that writes to an open file.

    Files in memory are left out: `opaque_state` covers them.
    """
    if getattr(callee, "__name__", None) not in _WRITING_METHODS:
        return False
    owner = getattr(callee, "__self__", None)
    holder = callee if owner is None or isinstance(owner, ModuleType) else type(owner)
    return is_a(owner, _FILES) or getattr(holder, "__module__", "") in _WRITING_MODULES


def _is_shared(owner: object) -> bool:
    return str(type(owner).__module__).partition(".")[0] in _SHARED and opaque(owner) is None
