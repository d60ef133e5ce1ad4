"""What is a library's own affair: its files, its modules, the insides of its objects."""

from __future__ import annotations

import os
import sys

from autograph.operators.frames import is_internal_file, python_folder
from autograph.operators.kinds import own_attributes

_LIBRARY = tuple(
    f"{path}{os.sep}" for path in (python_folder("stdlib"), python_folder("platstdlib"))
)
_INSTALLED = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))
# Classes of these do nothing but hold what is put into them.
_HOLDERS = ("collections", "types", "weakref", "_weakrefset", "builtins")


def is_library_class(kind: type) -> bool:
    """Tell whether a class is a library's and does more than hold what is put into it."""
    module = str(own_attributes(kind).get("__module__", "builtins"))
    if module.partition(".")[0] in _HOLDERS:
        return False
    return is_library_module(module)


def is_library_module(name: str) -> bool:
    """Tell whether a module belongs to the standard library or was installed.

    >>> is_library_module("json"), is_library_module("__main__")
    (True, False)
    """
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None:
        return name.partition(".")[0] in sys.stdlib_module_names and name != "__main__"
    return is_library_file(file)


def is_library_file(file: str) -> bool:
    """Tell whether a source file is of the standard library, of these packages, or installed."""
    if any(name in file for name in _INSTALLED) or is_internal_file(file):
        return True
    return file.startswith(_LIBRARY) or file.startswith("<frozen ")
