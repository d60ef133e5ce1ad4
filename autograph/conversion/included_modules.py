"""Modules that are converted like user code: `include=("json", "pkg.sub")`."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable
from types import ModuleType

from autograph.errors import ConversionError
from runtime.core.lazy_imports import lazy_import

_close_to = lazy_import("difflib:get_close_matches")

_HOW = "write include=('json', 'package.module')"


def checked_include(include: object) -> tuple[str, ...]:
    """Return the names in `include`, sorted, each once.

    Args:
        include: an iterable of names of modules or packages, such as a tuple.

    Raises:
        ConversionError: it is of another kind, or one of the names is not that of a module.

    >>> checked_include(["textwrap", "json", "json"])
    ('json', 'textwrap')
    """
    if not isinstance(include, Iterable) or isinstance(include, (str, bytes)):
        raise ConversionError(f"include takes several names, not {include!r}: {_HOW}")
    names = tuple(include)
    for name in names:
        _check(name)
    return tuple(sorted(set(names)))


def is_within(module: object, include: tuple[str, ...]) -> bool:
    """Return whether a module is one of those in `include`, or inside a package that is.

    >>> [is_within(name, ("json",)) for name in ("json", "json.decoder", "jsonschema")]
    [True, True, False]
    """
    if not isinstance(module, str):
        return False
    return any(module == name or module.startswith(f"{name}.") for name in include)


def _check(name: object) -> None:
    if isinstance(name, ModuleType):
        raise ConversionError(f"include takes names of modules: write {name.__name__!r}")
    if not isinstance(name, str):
        raise ConversionError(f"include takes names of modules, not {name!r}: {_HOW}")
    if not _is_module(name):
        raise ConversionError(f"include: there is no module named {name!r}{_suggestion(name)}")


def _is_module(name: str) -> bool:
    """Return whether a module can be found; it is not imported, but its package may be."""
    if name in sys.modules:
        return True
    if not all(part.isidentifier() for part in name.split(".")):
        return False
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _suggestion(name: str) -> str:
    known = sorted({*sys.modules, *sys.stdlib_module_names})
    close = _close_to(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
