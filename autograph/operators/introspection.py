"""Functions that inspect their caller, such as `locals()`, `super()` and `sys.exc_info()`.

`locals()` shows the frame of its caller, which may be one of this package. The replacement returns
the variables of the user's function, without the names that the conversion has made. As in Python,
a write to this dict does not change the variables. Functions that inspect the handled exception
have replacements, too.
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
from types import CodeType, FrameType, FunctionType
from typing import Any

from autograph.backends.backend_registry import check_contents_of
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.protocol import Backends
from autograph.backends.undefined import Undefined
from autograph.operators.debuggers import skip_internals
from autograph.operators.frames import (
    CodeInfo,
    code_info_of,
    frames_of_call,
    is_direct,
    user_frames,
)
from runtime.core.internal_files import is_internal_file

Arguments = tuple[Any, ...]
Keywords = Mapping[str, Any]
# Returns the result for the arguments of a call.
Answer = Callable[[Arguments, Keywords], object]
# Returns the replacement of a function.
MakeReplacement = Callable[[Any], Callable[..., object]]

_FUTURES = 0
for _feature in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _feature).compiler_flag
_MARKING = frozenset({"Undefined", "ldu"})
_LOGGING = ("debug", "info", "warning", "error", "exception", "critical", "log")
# The numbers are documented by `logging`.
_LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40, "critical": 50}


class Introspection:
    """The replacements of functions that inspect their caller.

    A function is its own replacement if the frames around the call are the user's alone.

    Args:
        backends: the backends that may own an argument.

    Attributes:
        by_object: the replacements of builtin functions.
        by_name: the replacements of Python functions of the standard library, by module and
            qualified name, so that the modules are not imported.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends
        handled = CurrentException(backends)
        self.by_object: dict[object, MakeReplacement] = {
            builtins.locals: _always(self._locals),
            builtins.vars: _always(self._vars),
            builtins.dir: _always(self._dir),
            builtins.eval: _if_marked(self._run(builtins.eval, "eval")),
            builtins.exec: _if_marked(self._run(builtins.exec, "exec")),
            builtins.globals: _if_inner_frames(self._globals),
            builtins.breakpoint: _always(self._breakpoint),
            sys.exc_info: _always(handled.exc_info),
            sys._getframe: _if_inner_frames(self._getframe),
            warnings.warn: _always(self._warn),
        }
        self.by_name: dict[tuple[str, str], MakeReplacement] = {
            ("inspect", "currentframe"): _if_inner_frames(self._getframe),
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
        part = code_info_of(frame.f_code)
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
            raise recording.refusal(
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
            return found if recording is None else recording.call("namespace", (args[0], found), {})
        again = partial(self._attributes_of, function)
        return backend.call(function.__name__, args, kwargs, lambda *new, **more: again(new, more))

    def _run(self, function: Callable[..., object], mode: str) -> Answer:
        """Return the replacement of `eval` or `exec`: the default scope is the caller's."""

        def answer(args: Arguments, kwargs: Keywords) -> object:
            given = args[1:] or tuple(kwargs.get(name) for name in ("globals", "locals"))
            if not args or any(scope is not None for scope in given):
                return function(*args, **kwargs)
            frame, code = self._frame(), args[0]
            if not isinstance(code, CodeType):
                # With the `__future__` statements of the caller's file, not of this one.
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

    def _logged_from(self, level: int) -> MakeReplacement:
        """Return the replacement of a function such as `logging.info`.

        Below the level of the root logger, it inspects no frame, and is not replaced.
        """

        def make_replacement(log: Any) -> Callable[..., object]:
            return log if log.__globals__["root"].level > level else self._logged(log)

        return make_replacement

    def _stack_level(self, level: int) -> int:
        """Return the `stacklevel` that refers to the frame to which `level` refers for the user.

        It is for a call that the caller of this method makes, which is level 1.
        """
        distance = 0
        for distance, _ in user_frames(sys._getframe(1)):
            level -= 1
            if level <= 0:
                return distance + 1
        return distance + 2

    def _breakpoint(self, args: Arguments, kwargs: Keywords) -> object:
        if args or kwargs or "PYTHONBREAKPOINT" in os.environ or not _stops_in_pdb():
            return sys.breakpointhook(*args, **kwargs)
        return self._set_trace(args, kwargs)

    def _set_trace(self, args: Arguments, kwargs: Keywords) -> object:
        pdb = importlib.import_module("pdb")
        header = kwargs.get("header")
        debugger = pdb.Pdb()
        skip_internals(debugger)
        if header is not None:
            debugger.message(header)
        return debugger.set_trace(self._frame())

    def _debugged(self, set_trace: Any) -> Callable[..., object]:
        def answer(debugger: Any, frame: FrameType | None = None) -> object:
            skip_internals(debugger)
            return set_trace(debugger, self._frame() if frame is None else frame)

        return answer


def type_for_caller(*args: Any, **kwargs: Any) -> object:
    """Return `type(...)`; the module of a new class is that of the user's function, as in Python.

    >>> type_for_caller("Point", (), {}).__module__ == __name__
    True
    """
    if not args[1:]:
        return type(*args, **kwargs)
    # Python takes the module from the globals of the frame that calls `type`.
    _, frame = next(user_frames(sys._getframe(1)))
    return FunctionType(_call.__code__, frame.f_globals)(type, args, kwargs)


def _call(function: Callable[..., object], args: Arguments, kwargs: Keywords) -> object:
    return function(*args, **kwargs)


def _stops_in_pdb() -> bool:
    """Return whether `breakpoint()` calls Python's own `pdb.set_trace`."""
    # Imported only here: few programs stop in a debugger.
    is_pdb = importlib.import_module("pdb").set_trace.__module__ == "pdb"
    return is_pdb and sys.breakpointhook is sys.__breakpointhook__


def _as_function(answer: Answer) -> Callable[..., object]:
    """Return a function that takes the arguments one by one."""
    return lambda *args, **kwargs: answer(args, kwargs)


def _always(answer: Answer) -> MakeReplacement:
    called = _as_function(answer)
    return lambda function: called


def _if_inner_frames(answer: Answer) -> MakeReplacement:
    """Replace a function only if frames of these packages are among those it would count."""
    called = _as_function(answer)
    return lambda function: function if is_direct(sys._getframe(1)) else called


def _if_marked(answer: Answer) -> MakeReplacement:
    """Replace a function only if the caller's frame is a statement's body, or holds marks."""
    called = _as_function(answer)

    def make_replacement(function: Any) -> Callable[..., object]:
        frame = sys._getframe(1)
        while is_internal_file(frame.f_code.co_filename) and frame.f_back is not None:
            frame = frame.f_back
        part = code_info_of(frame.f_code)
        is_in_body = part is not None and part.is_body
        if is_in_body or _shows_marks(frame):
            return called
        return function

    return make_replacement


def _shows_marks(frame: FrameType) -> bool:
    # Before Python 3.13, `f_locals` keeps the variables alive, so it is read only if the code makes
    # marks.
    if _MARKING.isdisjoint(frame.f_code.co_names):
        return False
    return any(map(_is_mark, frame.f_locals.values()))


def _is_mark(value: object) -> bool:
    return type(value) in (Undefined, PossiblyUnbound)


def _own_variables(variables: Mapping[str, object]) -> dict[str, object]:
    # Before Python 3.13, a frame has one such dict, which each `locals()` returns.
    return variables if type(variables) is dict else dict(variables)


def _without_hidden(frame: FrameType, part: CodeInfo) -> dict[str, object]:
    """Return the variables of a frame without the names that the conversion has made."""
    variables = _own_variables(frame.f_locals)
    code = frame.f_code
    for name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
        if name in variables and name not in part.names:
            del variables[name]
    return _with_perhaps(variables)


def _with_perhaps(variables: dict[str, object]) -> dict[str, object]:
    """Return the dict without unbound variables; possibly unbound ones are optional items."""
    for name, value in list(variables.items()):
        if type(value) is Undefined:
            del variables[name]
        elif type(value) is PossiblyUnbound:
            variables[name] = value.as_item(name)
            check_contents_of(dict)
    return variables


def _names_in(code: CodeType) -> set[str]:
    """Return the names of variables that code, or nested code, may read."""
    inner = [_names_in(each) for each in code.co_consts if type(each) is CodeType]
    return {*code.co_names, *code.co_freevars}.union(*inner)


def _frames_counted_in(log: Callable[..., object]) -> int:
    """Return the number of frames of `logging` that count as levels: none from Python 3.11 on."""
    if sys.version_info >= (3, 11):
        return 0
    name = log.__qualname__
    return (not name.startswith("Logger.")) + name.endswith("exception")


# -- current exception -----------------------------------------------------------------------------


# Functions that print or format the handled exception, by module and name.
WRITING = tuple(
    ("traceback", name)
    for name in ("format_exc", "format_exception", "print_exc", "print_exception", "print_last")
)


class CurrentException:
    """The replacements of functions that inspect the handled exception.

    Args:
        backends: the backends that may own the exception, which may be one of several.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends

    def exc_info(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> object:
        """Return `sys.exc_info()`."""
        kind, value, traceback = sys.exc_info(*args, **kwargs)
        backend = self._backends.of(value)
        if backend is not None:
            kind = backend.call("type", (value,), {})
        return kind, value, traceback

    def written(self, function: Callable[..., object]) -> Callable[..., object]:
        """Return the replacement of a function that prints the current exception."""

        def answer(*args: Any, **kwargs: Any) -> object:
            for each in (sys.exc_info()[1], *args, *kwargs.values()):
                backend = self._backends.of(each)
                if backend is not None and isinstance(each, BaseException):
                    raise backend.refusal(
                        f"{function.__module__}.{function.__name__}() writes down an exception "
                        "that is known only when the graph runs: take its text with str(error), "
                        "or its class with type(error).__name__"
                    )
            return function(*args, **kwargs)

        return answer
