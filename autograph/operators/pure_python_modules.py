"""Standard library modules loaded without their compiled half.

`heapq`, `bisect` and `operator` have their functions twice: in Python, and in a compiled module
that replaces these if it is there. Both do the same (the library's tests run on both).
"""

from __future__ import annotations

import builtins
import functools
import importlib.util
import linecache
import os
from types import FunctionType, ModuleType
from typing import Any

# The compiled half of each, and the module.
COMPILED = {"_heapq": "heapq", "_bisect": "bisect", "_operator": "operator"}
_HERE = os.path.dirname(__file__)
# A file name in this package: tracebacks leave out frames of this package.
_BACKEND = os.path.join(os.path.dirname(_HERE), "backends", "graph", "functions")
_FILES = (
    f"{_HERE}{os.sep}<",
    os.path.join(_HERE, "heap_functions.py"),
    os.path.join(_HERE, "generator_builtins.py"),
    os.path.join(_BACKEND, "list_arguments.py"),
)


def is_pure_python_form(function: FunctionType | None) -> bool:
    """Return whether a function is in a file of these packages that is converted.

    It is the pure-Python form of a compiled function, or an operation that is written in Python.

    >>> is_pure_python_form(pure_python_module("heapq").heappush)
    True
    """
    return function is not None and function.__code__.co_filename.startswith(_FILES)


@functools.cache
def pure_python_module(name: str) -> ModuleType:
    """Return a module of the standard library, loaded without its compiled half.

    Raises:
        ImportError: its source is not available.

    >>> pure_python_module("bisect").bisect([1, 3], 2)
    1
    """
    spec = importlib.util.find_spec(name)
    source = None if spec is None else getattr(spec.loader, "get_source", lambda _: None)(name)
    if source is None:
        raise ImportError(f"the source of {name} cannot be found")
    filename = f"{_FILES[0]}{name}>.py"
    linecache.cache[filename] = len(source), None, source.splitlines(keepends=True), filename
    # Frames of modules of such names are not the user's (`caller_origin`).
    module = ModuleType(f"{name} in Python")
    # Only this module must see that the compiled half is missing, so `sys.modules` is unchanged.
    vars(module)["__builtins__"] = {**vars(builtins), "__import__": _import}
    exec(compile(source, filename, "exec"), vars(module))
    vars(module)["__builtins__"] = builtins
    return module


def _import(name: str, *args: Any) -> object:
    if name in COMPILED:
        raise ImportError(name)
    return __import__(name, *args)
