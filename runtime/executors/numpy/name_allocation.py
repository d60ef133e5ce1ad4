"""Allocates names for the slots and objects of the printed function."""

from __future__ import annotations

import re
from collections.abc import Callable
from keyword import iskeyword
from typing import Any

from runtime.core.lazy_imports import lazy_import
from runtime.errors import GraphError
from runtime.executors.plan.plan import PlanSlot

normalize = lazy_import("unicodedata:normalize")

# Builtins that printed functions use.
_BUILTIN = (
    *(
        "BaseException",
        "abs",
        "bool",
        "divmod",
        "float",
        "int",
        "len",
        "max",
        "min",
        "pow",
        "range",
    ),
    "round",
    # Names with a meaning to Python itself.
    *("__builtins__", "__debug__", "__name__"),
)
_NO_LETTER = re.compile(r"\W")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def identifier(name: str) -> str:
    """Return a Python identifier similar to `name`.

    >>> identifier("scope/x:1"), identifier("break"), identifier("2nd")
    ('scope_x_1', 'break_', '_2nd')
    """
    text = _NO_LETTER.sub("_", name)
    if not text.isascii():
        # Python treats two names as the same if this normal form is the same.
        text = _NO_LETTER.sub("_", normalize("NFKC", text))
    if not f"_{text}".isidentifier():
        text = _NOT_ASCII.sub("_", text)
    if not text.isidentifier() and not iskeyword(text):
        text = f"_{text}"
    return f"{text}_" if iskeyword(text) else text


def keyword(name: str) -> str:
    """Return a name that is valid as a keyword argument; GraphError for any other.

    >>> keyword("axis")
    'axis'
    """
    if not name.isidentifier() or not name.isascii() or iskeyword(name) or name[:2] == "__":
        raise GraphError(f"{name!r:.60} is not a valid name of an attribute")
    return name


class NameAllocation:
    """Names of slots and objects; no two are the same.

    Args:
        enclosing: the names of a function that shares its objects with this one.

    Attributes:
        objects: the global variables of the function.
    """

    def __init__(self, enclosing: NameAllocation | None = None) -> None:
        self.objects: dict[str, Any] = {}
        self._used: set[str] = set(_BUILTIN)
        self._of_slots: dict[PlanSlot, str] = {}
        self._of_objects: dict[int, str] = {}
        self._next: dict[str, int] = {}
        self._singletons: dict[Any, str] = {}
        self._enclosing = enclosing
        if enclosing is not None:
            self.objects, self._singletons = enclosing.objects, enclosing._singletons
            self._of_objects, self._used = (
                enclosing._of_objects,
                self._used | set(enclosing.objects),
            )
            self._used |= enclosing.functions
        # The names of functions that are printed with this one.
        self.functions: set[str] = set() if enclosing is None else enclosing.functions

    def of_slot(self, slot: PlanSlot) -> str:
        """Return the name of the variable for a slot."""
        name = self._of_slots.get(slot)
        if name is None:
            self._of_slots[slot] = name = self.fresh(slot.name)
        return name

    def of_object(self, value: Any, name: str) -> str:
        """Return the name of an object that the function refers to; `name` is preferred."""
        known = self._of_objects.get(id(value))
        if known is None:
            self._of_objects[id(value)] = known = self._global_name(name)
            self.objects[known] = value
        return known

    def of_function(self, name: str) -> str:
        """Return the name of a function that is printed with this one."""
        found = self._global_name(name)
        self.functions.add(found)
        return found

    def _global_name(self, preferred: str) -> str:
        """Return a name that is free here and in all functions enclosing."""
        name = self.fresh(preferred)
        enclosing = self._enclosing
        while enclosing is not None:
            if name in enclosing._used:
                name, enclosing = self.fresh(preferred), self._enclosing
            else:
                enclosing = enclosing._enclosing
        each: NameAllocation | None = self._enclosing
        while each is not None:
            each._used.add(name)
            each = each._enclosing
        return name

    def once(self, name: str, make: Callable[[], Any], key: Any = None) -> str:
        """Return the name of an object that is made on its first use.

        Args:
            name: the preferred name.
            make: makes the object.
            key: identifies the object if there may be several with that name.
        """
        key = name if key is None else key
        found = self._singletons.get(key)
        if found is None:
            self._singletons[key] = found = self.of_object(make(), name)
        return found

    def fresh(self, preferred: str) -> str:
        """Return an unused name similar to `preferred`."""
        base = identifier(preferred)
        name, number = base, self._next.get(base, 1)
        while name in self._used:
            name, number = f"{base}_{number}", number + 1
        self._next[base] = number
        self._used.add(name)
        return name

    def reserve(self, objects: dict[str, Any]) -> None:
        """Add objects with fixed names."""
        self.objects.update(objects)
        self._used.update(objects)
