"""Standard library modules loaded without their compiled half.

`heapq`, `bisect` and `operator` exist twice: as a Python module, and compiled, which that module
uses if it can. Both do the same (the library's tests run on both).
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
# A file name in this package, so that an error in it shows at the user's call.
_BACKEND = os.path.join(os.path.dirname(_HERE), "backends", "graph", "functions")
_FILES = (
    f"{_HERE}{os.sep}<",
    os.path.join(_HERE, "heap_functions.py"),
    os.path.join(_HERE, "generator_builtins.py"),
    os.path.join(_BACKEND, "list_operands.py"),
)


def is_standing_in(function: FunctionType | None) -> bool:
    """Return whether a function replaces a compiled one, and is to be converted.

    >>> is_standing_in(standing_in("heapq").heappush), is_standing_in(is_standing_in)
    (True, False)
    """
    return function is not None and function.__code__.co_filename.startswith(_FILES)


@functools.cache
def standing_in(name: str) -> ModuleType:
    """Return a module of the standard library, loaded without its compiled half.

    Raises:
        ImportError: its source is not available.

    >>> standing_in("bisect").bisect([1, 3], 2)
    1
    """
    spec = importlib.util.find_spec(name)
    source = None if spec is None else getattr(spec.loader, "get_source", lambda _: None)(name)
    if source is None:
        raise ImportError(f"the source of {name} is not there")
    filename = f"{_FILES[0]}{name}>.py"
    linecache.cache[filename] = len(source), None, source.splitlines(keepends=True), filename
    module = ModuleType(f"{name} in Python")
    # Only this module sees that the half is missing: in `sys.modules` all threads would.
    vars(module)["__builtins__"] = {**vars(builtins), "__import__": _import}
    exec(compile(source, filename, "exec"), vars(module))
    vars(module)["__builtins__"] = builtins
    return module


def _import(name: str, *args: Any) -> object:
    if name in COMPILED:
        raise ImportError(name)
    return __import__(name, *args)
