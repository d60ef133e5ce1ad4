"""Allocates names for the slots and objects of the printed function."""

from __future__ import annotations

import re
from collections.abc import Callable
from keyword import iskeyword
from typing import Any

from runtime.core.lazy_imports import lazy_import
from runtime.errors import GraphError
from runtime.executors.plan import Slot

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
        raise GraphError(f"{name!r:.60} is no name of an attribute")
    return name


class Names:
    """Names of slots and objects; no two are the same.

    Args:
        around: the names of a function that shares its objects with this one.

    Attributes:
        objects: the global variables of the function.
    """

    def __init__(self, around: Names | None = None) -> None:
        self.objects: dict[str, Any] = {}
        self._taken: set[str] = set(_BUILTIN)
        self._of_slots: dict[Slot, str] = {}
        self._of_objects: dict[int, str] = {}
        self._next: dict[str, int] = {}
        self._made: dict[Any, str] = {}
        self._around = around
        if around is not None:
            self.objects, self._made = around.objects, around._made
            self._of_objects, self._taken = around._of_objects, self._taken | set(around.objects)
            self._taken |= around.functions
        # The names of functions that are printed with this one.
        self.functions: set[str] = set() if around is None else around.functions

    def of_slot(self, slot: Slot) -> str:
        """Return the name of the variable for a slot."""
        name = self._of_slots.get(slot)
        if name is None:
            self._of_slots[slot] = name = self.fresh(slot.name)
        return name

    def of_object(self, thing: Any, name: str) -> str:
        """Return the name of an object from outside; `name` is the preferred name."""
        known = self._of_objects.get(id(thing))
        if known is None:
            self._of_objects[id(thing)] = known = self._outside(name)
            self.objects[known] = thing
        return known

    def of_function(self, name: str) -> str:
        """Return the name of a function that is printed with this one."""
        found = self._outside(name)
        self.functions.add(found)
        return found

    def _outside(self, wanted: str) -> str:
        """Return a name that is free here and in all functions around."""
        name = self.fresh(wanted)
        around = self._around
        while around is not None:
            if name in around._taken:
                name, around = self.fresh(wanted), self._around
            else:
                around = around._around
        each: Names | None = self._around
        while each is not None:
            each._taken.add(name)
            each = each._around
        return name

    def once(self, name: str, make: Callable[[], Any], key: Any = None) -> str:
        """Return the name of an object that is made on its first use.

        Args:
            name: the preferred name.
            make: makes the object.
            key: identifies the object if there may be several with that name.
        """
        key = name if key is None else key
        found = self._made.get(key)
        if found is None:
            self._made[key] = found = self.of_object(make(), name)
        return found

    def fresh(self, wanted: str) -> str:
        """Return an unused name similar to `wanted`."""
        base = identifier(wanted)
        name, number = base, self._next.get(base, 1)
        while name in self._taken:
            name, number = f"{base}_{number}", number + 1
        self._next[base] = number
        self._taken.add(name)
        return name

    def reserve(self, objects: dict[str, Any]) -> None:
        """Add objects with fixed names."""
        self.objects.update(objects)
        self._taken.update(objects)
