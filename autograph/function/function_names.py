"""Names of Functions: those of the Python functions they are made of."""

from __future__ import annotations

import functools
import sys
from types import FunctionType
from typing import Any


def name_of(python_function: Any) -> str:
    """Return the name of a function, or of the class of a callable object.

    >>> name_of(functools.partial(max, 1))
    'max'
    """
    while isinstance(python_function, functools.partial):
        python_function = python_function.func
    name = getattr(python_function, "__name__", None)
    return name if isinstance(name, str) else type(python_function).__name__


def found_by_name(made: Any) -> object:
    """Return what stands under the name of a Function in the module that has it, else None."""
    found: Any = sys.modules.get(made.__module__)
    for name in made.__qualname__.split("."):
        found = getattr(found, name, None)
    return found


def copy_names(made: Any, python_function: Any) -> None:
    """Give a Function the names and the docstring of its Python function."""
    updated = ("__dict__",) if isinstance(python_function, FunctionType) else ()
    functools.update_wrapper(made, python_function, updated=updated)
    made.__name__ = name_of(python_function)
    if not hasattr(made, "__qualname__"):
        made.__qualname__ = made.__name__
