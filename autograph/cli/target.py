"""Loads a function by its name on the command line, `model.py:step` or `model.py:Layer.call`."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from autograph.errors import CommandError
from autograph.function.function import Function


@dataclass(frozen=True)
class Target:
    """The function of `FILE.py:NAME`.

    Attributes:
        text: the text on the command line.
        value: the value of the name: a function or a Function.
    """

    text: str
    value: Any

    @property
    def python_function(self) -> Callable[..., Any]:
        """The plain Python function."""
        value = self.value
        while isinstance(value, Function):
            value = value.python_function
        return inspect.unwrap(value)

    @property
    def function(self) -> Function:
        """The Function that the user's file has, or a new one of the function."""
        if isinstance(self.value, Function):
            return self.value
        return Function(self.value)


def load_target(text: str) -> Target:
    """Import the file and find the function.

    Raises:
        CommandError: there is no such file or function.
        Exception: the import of the user's file raised it.
    """
    filename, separator, name = text.rpartition(":")
    if not separator or not name:
        raise CommandError(f"{text!r} names no function: write FILE.py:FUNCTION")
    path = Path(filename)
    if not path.is_file():
        raise CommandError(f"there is no file {filename!r}")
    return Target(text, _find(_imported(path), name, filename))


def _imported(path: Path) -> ModuleType:
    name = path.stem if path.stem not in sys.modules else f"autograph_target_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise CommandError(f"{str(path)!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with _on_path(path.resolve().parent):
        # By `exec`, so that the traceback of an error has no frames of importlib.
        exec(_compiled(path), module.__dict__)
    return module


def _compiled(path: Path) -> CodeType:
    try:
        return compile(path.read_bytes(), str(path), "exec")
    except (SyntaxError, ValueError) as error:
        raise error.with_traceback(None) from None


@contextmanager
def _on_path(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _find(module: ModuleType, name: str, filename: str) -> Any:
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if not callable(found) or isinstance(found, type):
        names = ", ".join(_function_names(module)) or "none"
        raise CommandError(f"{filename} has no function {name!r}; it has: {names}")
    return found


def _function_names(module: ModuleType) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if inspect.isfunction(inspect.unwrap(value) if callable(value) else value)
        and inspect.unwrap(value).__module__ == module.__name__
    ]
