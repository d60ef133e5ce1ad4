"""Lazy attributes of packages: names that are imported on first use.

if TYPE_CHECKING:
    from runtime.ops.elementwise.arithmetic import add as add
else:
    __getattr__, __dir__, __all__ = door(__name__, {"runtime.ops.elementwise.arithmetic": "add"})

Type checkers read the imports, Python the table, and `tests/laws/test_doors.py` holds the two
against each other. A name is looked up once; from then on the module has it as any other. Python's
import locks make this safe for threads: two that ask at once get the same object.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, TypeVar

from runtime.core.fork_safety import unforked

Door = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]
Kind = TypeVar("Kind", bound=type)
_GIVEN: dict[str, dict[str, Any]] = {}
# What is in the namespace of a door, but not for those who go through it.
_TOOLS = frozenset(("TYPE_CHECKING", "Any", "annotations", "door", "late"))


def door(module: str, homes: Mapping[str, str]) -> Door:
    """Return `__getattr__`, `__dir__` and `__all__` of a module whose names are elsewhere.

    Args:
        module: the name of the module whose door it is.
        homes: which names each module has, separated by blanks; `new=old` for a name that is
            another one there. The module itself is the home of its submodules.

    Submodules that are not named are imported on demand as well.

    >>> get, names, public = door("shapes", {"math": "pi circle=tau"})
    """
    places = dict(_places(module, homes))
    space = vars(sys.modules[module]) if module in sys.modules else {}

    def get(name: str) -> Any:
        found = _found(module, space, places.get(name), name)
        return space.setdefault(name, found)

    def names() -> list[str]:
        return sorted({*space, *places})

    public = [name for name in space if not name.startswith("_") and name not in _TOOLS]
    return get, names, [*public, *places]


def _places(module: str, homes: Mapping[str, str]) -> Iterable[tuple[str, tuple[str, str]]]:
    for home, names in homes.items():
        for entry in names.split():
            name, _, old = entry.partition("=")
            yield name, (home, old or name)


def _found(module: str, space: Mapping[str, Any], place: tuple[str, str] | None, name: str) -> Any:
    if place is None:
        return _submodule(module, space, name)
    home, old = place
    if home == module:
        return imported(f"{home}.{old}")
    try:
        return getattr(imported(home), old)
    except AttributeError:
        return imported(f"{home}.{old}")


def imported(module: str) -> Any:
    """Return a module, imported without looking for garbage: what modules are made of is kept.

    Other threads fork before or after that: Python's lock of a module that is being imported stays
    held in a child.

    >>> imported("math").sqrt(9)
    3.0
    """
    if module in sys.modules:
        return import_module(module)
    with unforked:
        if not gc.isenabled():
            return import_module(module)
        gc.disable()
        try:
            return import_module(module)
        finally:
            gc.enable()


def _submodule(module: str, space: Mapping[str, Any], name: str) -> Any:
    whole = f"{module}.{name}"
    if "__path__" not in space or name.startswith("__") or _find_spec(whole) is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
    return imported(whole)


def give(place: str, members: Mapping[str, Any]) -> None:
    """Register additional members of a class or table, before its module is imported."""
    _GIVEN.setdefault(place, {}).update(members)


def given(place: str) -> dict[str, Any]:
    """Return the members that were given for a place.

    >>> give("a.place", {"name": 1})
    >>> given("a.place")
    {'name': 1}
    """
    return dict(_GIVEN.get(place, {}))


def opened(kind: Kind) -> Kind:
    """Put what was given for a class into it: for classes that higher floors add members to.

    >>> give("__main__.Box", {"weight": 3})
    >>> box = opened(type("Box", (), {"__module__": "__main__"}))
    >>> box.weight
    3
    """
    for name, member in given(f"{kind.__module__}.{kind.__qualname__}").items():
        setattr(kind, name, member)
    return kind


def if_imported(*places: str) -> tuple[type, ...]:
    """Return those of some classes whose modules are imported: the others have no instances.

    >>> import decimal
    >>> isinstance(decimal.Decimal(1), if_imported("decimal.Decimal", "no_such_module.Kind"))
    True
    """
    halves = (place.rpartition(".") for place in places)
    found = (getattr(sys.modules.get(home), name, None) for home, _, name in halves)
    return tuple(kind for kind in found if kind is not None)


def late(home: str, name: str) -> Callable[..., Any]:
    """Return a function that imports the one it stands for when it is called.

    >>> late("math", "sqrt")(9)
    3.0
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(imported(home), name)(*args, **kwargs)

    return call


_find_spec = late("importlib.util", "find_spec")
