"""Functions that inspect their caller, such as `locals()`, `super()` and `sys.exc_info()`.

`locals()` in a function is a view of its frame. Called through `converted_call` it would show a
frame of this package. So the replacement returns the variables of the user's call, without the
names that the conversion made. As in Python, a write to such a dictionary does not change the
variables. The replacements of functions that inspect the handled exception are here, too.
"""

from __future__ import annotations
import __future__

import builtins
import importlib
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from types import CodeType, FrameType
from typing import Any

from autograph.backends.backend_registry import check_contents_of
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.protocol import Backends
from autograph.backends.undefined import Undefined
from autograph.operators.debuggers import skip_ours
from autograph.operators.frames import (
    CodeInfo,
    frames_of_call,
    is_direct,
    is_internal_file,
    part_of,
    user_frames,
)

Arguments = tuple[Any, ...]
Keywords = Mapping[str, Any]
# Returns the answer for the arguments of the call.
Looker = Callable[[Arguments, Keywords], object]
# Maps a function to its replacement.
Stand = Callable[[Any], Callable[..., object]]

_FUTURES = 0
for _feature in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _feature).compiler_flag
_MARKING = frozenset({"Undefined", "ldu"})
_LOGGING = ("debug", "info", "warning", "error", "exception", "critical", "log")
# The numbers are part of what `logging` documents.
_LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40, "critical": 50}


class Introspection:
    """The functions of this kind, by the object or by the name they are known by.

    Both tables take the function to what is called in its place: itself, where the frames that
    make the call are those the user expects.

    Args:
        backends: the backends that may own a tested object.

    Attributes:
        by_object: answers for builtin functions.
        by_name: answers for Python functions of the standard library, by module and qualified
            name, so that looking at them does not import them.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends
        handled = CurrentException(backends)
        self.by_object: dict[object, Stand] = {
            builtins.locals: _always(self._locals),
            builtins.vars: _always(self._vars),
            builtins.dir: _always(self._dir),
            builtins.eval: _if_marked(self._run(builtins.eval, "eval")),
            builtins.exec: _if_marked(self._run(builtins.exec, "exec")),
            builtins.globals: _if_lifted(self._globals),
            builtins.breakpoint: _always(self._breakpoint),
            sys.exc_info: _always(handled.exc_info),
            sys._getframe: _if_lifted(self._getframe),
            warnings.warn: _if_lifted(self._warn),
        }
        self.by_name: dict[tuple[str, str], Stand] = {
            ("inspect", "currentframe"): _if_lifted(self._getframe),
            ("pdb", "set_trace"): _always(self._set_trace),
            ("bdb", "Bdb.set_trace"): self._debugged,
            **{("logging", f"Logger.{name}"): self._logged for name in _LOGGING},
            **dict.fromkeys(WRITING, handled.written),
            **{("logging", name): self._logged for name in _LOGGING},
            **{("logging", name): self._logged_from(level) for name, level in _LEVELS.items()},
        }

    def _frame(self) -> FrameType:
        _, frame = next(user_frames(sys._getframe(1)))
        return frame

    def _variables(self) -> dict[str, object]:
        frame = self._frame()
        part = part_of(frame.f_code)
        if part is None:
            return _own_variables(frame.f_locals)
        if not part.is_body:
            return _without_hidden(frame, part)
        merged: dict[str, object] = {}
        for each in reversed(frames_of_call(frame)):
            merged.update(each.f_locals)
        return _with_perhaps({name: v for name, v in merged.items() if name in part.names})

    def _locals(self, args: Arguments, kwargs: Keywords) -> object:
        return locals(*args, **kwargs) if args or kwargs else self._variables()

    def _globals(self, args: Arguments, kwargs: Keywords) -> object:
        return globals(*args, **kwargs) if args or kwargs else self._frame().f_globals

    def _vars(self, args: Arguments, kwargs: Keywords) -> object:
        return self._attributes_of(vars, args, kwargs) if args or kwargs else self._variables()

    def _dir(self, args: Arguments, kwargs: Keywords) -> object:
        if args or kwargs:
            return self._attributes_of(dir, args, kwargs)
        variables = self._variables()
        recording = self._backends.recording()
        perhaps = [name for name, value in variables.items() if type(value) is PossiblyUnbound]
        if recording is not None and perhaps:
            raise recording.refused_use(
                f"dir() lists the variables that are bound, and whether {perhaps[0]!r} is one is "
                "known only when the graph runs: give it a value on every path"
            )
        return sorted(variables)

    def _attributes_of(
        self, function: Callable[..., object], args: Arguments, kwargs: Keywords
    ) -> object:
        """Return `vars(x)` or `dir(x)` of an object, which may be one of several."""
        backend = self._backends.of_any(args)
        if backend is None:
            found, recording = function(*args, **kwargs), self._backends.recording()
            return found if recording is None else recording.namespace(args[0], found)
        again = partial(self._attributes_of, function)
        return backend.builtin(
            function.__name__, args, kwargs, lambda *new, **more: again(new, more)
        )

    def _run(self, function: Callable[..., object], mode: str) -> Looker:
        """Answer for `eval` and `exec`, which take the caller's scope where none is given."""

        def answer(args: Arguments, kwargs: Keywords) -> object:
            given = args[1:] or tuple(kwargs.get(name) for name in ("globals", "locals"))
            if not args or any(scope is not None for scope in given):
                return function(*args, **kwargs)
            frame, code = self._frame(), args[0]
            if not isinstance(code, CodeType):
                # Compiled here, the text would follow this file's `__future__` statements.
                flags = frame.f_code.co_flags & _FUTURES
                text = code.lstrip(" \t") if mode == "eval" and isinstance(code, str) else code
                code = compile(text, "<string>", mode, flags, dont_inherit=True)
            variables = self._variables()
            for name in [name for name, v in variables.items() if type(v) is PossiblyUnbound]:
                mark: Any = variables.pop(name)
                if name in _names_in(code):
                    mark.refuse()
            return function(code, frame.f_globals, variables)

        return answer

    def _getframe(self, args: Arguments, kwargs: Keywords) -> object:
        depth = args[0] if args else 0
        for _, frame in user_frames(sys._getframe(1)):
            if depth <= 0:
                return frame
            depth -= 1
        return sys._getframe(sys.getrecursionlimit())  # raises Python's own error

    def _warn(self, args: Arguments, kwargs: Keywords) -> object:
        keywords = {**dict(zip(("message", "category", "stacklevel", "source"), args)), **kwargs}
        level = self._stack_level(keywords.pop("stacklevel", 1))
        return warnings.warn(**keywords, stacklevel=level)

    def _logged(self, log: Any) -> Callable[..., object]:
        if is_direct(sys._getframe(1)):
            return log

        def answer(*args: Any, **kwargs: Any) -> object:
            level = self._stack_level(kwargs.get("stacklevel", 1)) + _frames_counted_in(log)
            return log(*args, **{**kwargs, "stacklevel": level})

        return answer

    def _logged_from(self, level: int) -> Stand:
        """Answer for a function of the module, which looks at no frame below the root's level."""

        def stand(log: Any) -> Callable[..., object]:
            return log if log.__globals__["root"].level > level else self._logged(log)

        return stand

    def _stack_level(self, level: int) -> int:
        """Return the level that means, for a call our caller makes, what `level` means to the user.

        Level 1 is the frame that makes the call: the one that asks here.
        """
        distance = 0
        for distance, _ in user_frames(sys._getframe(1)):
            level -= 1
            if level <= 0:
                return distance + 1
        return distance + 2

    def _breakpoint(self, args: Arguments, kwargs: Keywords) -> object:
        usual = sys.breakpointhook is sys.__breakpointhook__
        if args or kwargs or not usual or "PYTHONBREAKPOINT" in os.environ:
            return sys.breakpointhook(*args, **kwargs)
        return self._set_trace(args, kwargs)

    def _set_trace(self, args: Arguments, kwargs: Keywords) -> object:
        # The debugger is for the few runs that stop in it, so it is not imported with the package.
        pdb = importlib.import_module("pdb")
        header = kwargs.get("header")
        debugger = pdb.Pdb()
        skip_ours(debugger)
        if header is not None:
            debugger.message(header)
        return debugger.set_trace(self._frame())

    def _debugged(self, set_trace: Any) -> Callable[..., object]:
        def answer(debugger: Any, frame: FrameType | None = None) -> object:
            skip_ours(debugger)
            return set_trace(debugger, self._frame() if frame is None else frame)

        return answer


def _called(answer: Looker) -> Callable[..., object]:
    """Return a function named as the one it replaces."""
    return lambda *args, **kwargs: answer(args, kwargs)


def _always(answer: Looker) -> Stand:
    called = _called(answer)
    return lambda function: called


def _if_lifted(answer: Looker) -> Stand:
    """Answer where frames of ours are among those the function would count."""
    called = _called(answer)
    return lambda function: function if is_direct(sys._getframe(1)) else called


def _if_marked(answer: Looker) -> Stand:
    """Answer where the caller's frame is not the user's, or shows marks for "no value"."""
    called = _called(answer)

    def stand(function: Any) -> Callable[..., object]:
        frame = sys._getframe(1)
        while is_internal_file(frame.f_code.co_filename) and frame.f_back is not None:
            frame = frame.f_back
        part = part_of(frame.f_code)
        lifted = part is not None and part.is_body
        if lifted or _shows_marks(frame):
            return called
        return function

    return stand


def _shows_marks(frame: FrameType) -> bool:
    # To look at the variables of a frame keeps them alive before Python 3.13, so they are looked
    # at only where code that makes marks has run.
    if _MARKING.isdisjoint(frame.f_code.co_names):
        return False
    return any(map(_is_mark, frame.f_locals.values()))


def _is_mark(value: object) -> bool:
    return type(value) in (Undefined, PossiblyUnbound)


def _own_variables(variables: Mapping[str, object]) -> dict[str, object]:
    # Before Python 3.13 a function has one such dictionary, which `locals()` gives every time.
    return variables if type(variables) is dict else dict(variables)


def _without_hidden(frame: FrameType, part: CodeInfo) -> dict[str, object]:
    """Return the variables of a frame but for those the conversion made up."""
    variables = _own_variables(frame.f_locals)
    code = frame.f_code
    for name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
        if name in variables and name not in part.names:
            del variables[name]
    return _with_perhaps(variables)


def _with_perhaps(variables: dict[str, object]) -> dict[str, object]:
    """Return the dict without unbound variables; a possibly unbound one is an optional item."""
    for name, value in list(variables.items()):
        if type(value) is Undefined:
            del variables[name]
        elif type(value) is PossiblyUnbound:
            variables[name] = value.as_item(name)
            check_contents_of(dict)
    return variables


def _names_in(code: CodeType) -> set[str]:
    """Return the names that code, or code inside of it, may look for."""
    inner = [_names_in(each) for each in code.co_consts if type(each) is CodeType]
    return {*code.co_names, *code.co_freevars}.union(*inner)


def _frames_counted_in(log: Callable[..., object]) -> int:
    """Return the number of frames of `logging` that count as levels: none from Python 3.11 on."""
    if sys.version_info >= (3, 11):
        return 0
    name = log.__qualname__
    return (not name.startswith("Logger.")) + name.endswith("exception")


# -- current exception -----------------------------------------------------------------------------


# Functions that write down the handled exception, by module and name.
WRITING = tuple(
    ("traceback", name)
    for name in ("format_exc", "format_exception", "print_exc", "print_exception", "print_last")
)


class CurrentException:
    """Answers for such functions.

    Args:
        backends: the backends that may own the exception, one of several chosen at run time.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends

    def exc_info(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> object:
        """Return `sys.exc_info()`."""
        kind, value, traceback = sys.exc_info(*args, **kwargs)
        backend = self._backends.of(value)
        if backend is not None:
            kind = backend.builtin("type", (value,), {})  # type: ignore[assignment]
        return kind, value, traceback

    def written(self, function: Callable[..., object]) -> Callable[..., object]:
        """Return the replacement of a function that prints the current exception."""

        def answer(*args: Any, **kwargs: Any) -> object:
            for each in (sys.exc_info()[1], *args, *kwargs.values()):
                backend = self._backends.of(each)
                if backend is not None and isinstance(each, BaseException):
                    raise backend.refused_use(
                        f"{function.__module__}.{function.__name__}() writes down an exception "
                        "that is known only when the graph runs: take its text with str(error), "
                        "or its class with type(error).__name__"
                    )
            return function(*args, **kwargs)

        return answer
