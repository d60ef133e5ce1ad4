"""Functions that look at who called them, told about the user's frame and not about ours.

`locals()` in a function is a view of its frame. Called through `converted_call` it would see ours,
so it is answered here: the variables of the call the user wrote, without the names the conversion
made up. As in Python, what is written into such a dictionary is not written to the variables.
"""

from __future__ import annotations

import builtins
import importlib
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

from autograph.backends.undefined import Undefined
from autograph.operators.frames import frames_of_call, part_of, user_frames

Arguments = tuple[Any, ...]
Keywords = Mapping[str, Any]
Answer = Callable[..., object]

_SKIPPED_IN_PDB = ("autograph", "autograph.*", "runtime", "runtime.*")
_LOGGING = ("debug", "info", "warning", "error", "exception", "critical", "log")


class Introspection:
    """The functions of this kind, by the object or by the name they are known by.

    Attributes:
        by_object: answers for builtin functions.
        by_name: answers for Python functions of the standard library, by module and qualified
            name, so that looking at them does not import them.
    """

    def __init__(self) -> None:
        by_object: dict[object, Callable[[Arguments, Keywords], object]] = {
            builtins.locals: self._locals,
            builtins.globals: self._globals,
            builtins.vars: self._vars,
            builtins.dir: self._dir,
            builtins.eval: self._run(builtins.eval),
            builtins.exec: self._run(builtins.exec),
            builtins.breakpoint: self._breakpoint,
            sys._getframe: self._getframe,
            warnings.warn: self._warn,
        }
        self.by_object = {known: _called(answer) for known, answer in by_object.items()}
        self.by_name: dict[tuple[str, str], Callable[..., Answer]] = {
            ("inspect", "currentframe"): lambda fn: _called(self._getframe),
            ("pdb", "set_trace"): lambda fn: _called(self._set_trace),
            **{("logging", f"Logger.{name}"): self._logged for name in _LOGGING},
            **{("logging", name): self._logged for name in _LOGGING},
        }

    def _frame(self) -> FrameType:
        _, frame = next(user_frames(sys._getframe(1)))
        return frame

    def _variables(self) -> dict[str, object]:
        frame = self._frame()
        part = part_of(frame.f_code)
        if part is None:
            return dict(frame.f_locals)
        merged: dict[str, object] = {}
        for each in reversed(frames_of_call(frame)):
            merged.update(each.f_locals)
        return {
            name: value
            for name, value in merged.items()
            if name in part.names and not isinstance(value, Undefined)
        }

    def _locals(self, args: Arguments, kwargs: Keywords) -> object:
        return locals(*args, **kwargs) if args or kwargs else self._variables()

    def _globals(self, args: Arguments, kwargs: Keywords) -> object:
        return globals(*args, **kwargs) if args or kwargs else self._frame().f_globals

    def _vars(self, args: Arguments, kwargs: Keywords) -> object:
        return vars(*args, **kwargs) if args or kwargs else self._variables()

    def _dir(self, args: Arguments, kwargs: Keywords) -> object:
        return dir(*args, **kwargs) if args or kwargs else sorted(self._variables())

    def _run(self, function: Callable[..., object]) -> Callable[[Arguments, Keywords], object]:
        """Answer for `eval` and `exec`, which take the caller's scope where none is given."""

        def answer(args: Arguments, kwargs: Keywords) -> object:
            given = args[1:] or tuple(kwargs.get(name) for name in ("globals", "locals"))
            if not args or any(scope is not None for scope in given):
                return function(*args, **kwargs)
            return function(args[0], self._frame().f_globals, self._variables())

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

    def _logged(self, log: Callable[..., object]) -> Answer:
        def answer(*args: Any, **kwargs: Any) -> object:
            level = self._stack_level(kwargs.get("stacklevel", 1)) + _frames_counted_in(log)
            return log(*args, **{**kwargs, "stacklevel": level})

        return answer

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
        debugger = pdb.Pdb(skip=_SKIPPED_IN_PDB)
        if header is not None:
            debugger.message(header)
        return debugger.set_trace(self._frame())


def _called(answer: Callable[[Arguments, Keywords], object]) -> Answer:
    """Return what is called like the function answered for."""
    return lambda *args, **kwargs: answer(args, kwargs)


def _frames_counted_in(log: Callable[..., object]) -> int:
    """Return how many frames of `logging` itself count as levels: none from Python 3.11 on."""
    if sys.version_info >= (3, 11):
        return 0
    name = log.__qualname__
    return (not name.startswith("Logger.")) + name.endswith("exception")
