"""Loads a function by its name on the command line: of a file, or of a module.

model.py:step  model.py:Layer.call  package.model:step
"""

from __future__ import annotations

import importlib.util
import inspect
import pkgutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from autograph.errors import CommandError
from autograph.functions.function import Function
from runtime.core.lazy_imports import lazy_import

_MOST_NAMES = 20
did_you_mean = lazy_import("runtime.core.name_suggestions:did_you_mean")


@dataclass(frozen=True)
class CommandTarget:
    """The function of `FILE.py:NAME` or `MODULE:NAME`.

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


def load_target(text: str, is_target: Callable[[Any], bool] = callable) -> CommandTarget:
    """Import the file or module and find the function.

    The folder stays on `sys.path`, for imports inside of functions.

    Args:
        text: the text on the command line.
        is_target: tells whether a value is what the command takes.

    Raises:
        CommandError: there is no such file, module or function.
        Exception: the import of the user's file raised it.
    """
    place, separator, name = text.rpartition(":")
    if not separator or not name:
        raise CommandError(f"{text!r} names no function: write FILE.py:FUNCTION or MODULE:FUNCTION")
    module = _imported_module(place) if _is_module_name(place) else _imported_file(Path(place))
    return CommandTarget(text, _find(module, name, place, is_target))


def _is_module_name(place: str) -> bool:
    """Return whether a place is `package.module`; a name that ends in `.py` is a file."""
    parts = place.split(".")
    return parts[-1] != "py" and all(map(str.isidentifier, parts)) and not Path(place).is_file()


# -- files -----------------------------------------------------------------------------------------


def _imported_file(path: Path) -> ModuleType:
    if not path.is_file():
        others = [each.name for each in path.parent.glob("*.py")] if path.name else []
        instead = did_you_mean(path.name, others)
        raise CommandError(f"there is no file {str(path)!r}{instead}")
    name = path.stem if path.stem not in sys.modules else f"autograph_target_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise CommandError(f"{str(path)!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    _put_on_path(path.resolve().parent)
    # By `exec`, so that the traceback of an error has no frames of importlib.
    exec(_compiled(path), module.__dict__)
    return module


def _compiled(path: Path) -> CodeType:
    try:
        return compile(path.read_bytes(), str(path), "exec")
    except (SyntaxError, ValueError) as error:
        raise error.with_traceback(None) from None


def _put_on_path(folder: Path) -> None:
    if sys.path[:1] != [str(folder)]:
        sys.path.insert(0, str(folder))


# -- modules ---------------------------------------------------------------------------------------


def _imported_module(name: str) -> ModuleType:
    _put_on_path(Path.cwd())
    try:
        # Unlike `import_module`, it removes the frames of importlib from the traceback.
        __import__(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if name != missing and not name.startswith(f"{missing}."):
            raise  # of an import in the module
        raise CommandError(_no_module(name, missing)) from None
    return sys.modules[name]


def _no_module(name: str, missing: str) -> str:
    """Return the message for a module of which itself, or a package around it, is missing."""
    package, _, last = missing.rpartition(".")
    if not package:
        instead = did_you_mean(last, {each.name for each in pkgutil.iter_modules()})
    elif hasattr(sys.modules[package], "__path__"):
        siblings = pkgutil.iter_modules(sys.modules[package].__path__)
        instead = did_you_mean(last, [each.name for each in siblings], f"{package}.")
    else:
        instead = f"; {package} is not a package"
        if hasattr(sys.modules[package], last):
            instead = f"; write {package}:{name.removeprefix(package + '.')}"
    return f"there is no module {missing!r}{instead}"


# -- functions -------------------------------------------------------------------------------------


def _find(module: ModuleType, name: str, place: str, is_target: Callable[[Any], bool]) -> Any:
    found: Any = module
    path = ""
    for part in name.split("."):
        owner, found = found, getattr(found, part, None)
        if found is None:
            instead = did_you_mean(part, _methods(owner) if path else _callables(owner), path)
            others = "" if instead else f"; it has: {_listed(_function_names(module))}"
            raise CommandError(f"{place} has no function {name!r}{instead}{others}")
        path += f"{part}."
    if isinstance(found, type):
        method = next(iter(_methods(found)), "call")
        raise CommandError(f"{name} of {place} is a class: name a method, as in {name}.{method}")
    if not is_target(found):
        raise CommandError(
            f"{name} of {place} is not a function, but of type {type(found).__name__}"
        )
    return _bound(found, owner, name) if inspect.isclass(owner) else found


def _bound(function: Any, owner: type, name: str) -> Any:
    """Return a method of a class for a new object; static and class methods are bound already."""
    made = inspect.getattr_static(owner, function.__name__, None)
    if not inspect.isfunction(inspect.unwrap(function)) or isinstance(made, staticmethod):
        return function
    try:
        inspect.signature(owner).bind()
    except (TypeError, ValueError):
        parameters = inspect.signature(owner)
        raise CommandError(
            f"{name} is a method, and no object of {owner.__name__}{parameters} can be made "
            f"without arguments: write a function that makes one and calls {function.__name__}"
        ) from None
    return getattr(owner(), function.__name__)


def _callables(module: ModuleType) -> list[str]:
    return [name for name, value in vars(module).items() if callable(value)]


def _methods(owner: object) -> list[str]:
    return [
        name
        for name in dir(owner)
        if not name.startswith("_") and callable(inspect.getattr_static(owner, name, None))
    ]


def _function_names(module: ModuleType) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if inspect.isfunction(inspect.unwrap(value) if callable(value) else value)
        and inspect.unwrap(value).__module__ == module.__name__
    ]


def _listed(names: list[str]) -> str:
    shown = [*names[:_MOST_NAMES], *(["..."] if len(names) > _MOST_NAMES else [])]
    return ", ".join(shown) or "none"
