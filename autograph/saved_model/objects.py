"""Makes the objects of a file: lists, tuples, dicts, variables, and objects with attributes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.saved_model.restored import SavedObject
from runtime.state.variable import Variable
from runtime.stored.typed_fields import at, text, typed

Data = Mapping[str, Any]

# Types whose objects may contain themselves, so that they are made first and filled later.
_FILLED_LATER: Mapping[str, Any] = {"list": list, "dict": dict, "object": SavedObject}
_UNMADE = object()
# The attribute with the internal state of a module, which the class makes.
_OWN = "_own"


def objects_of(data: Any, variable: Callable[[Data], Variable]) -> list[Any]:
    """Return the objects of the data, in which each part is the number of an object.

    Args:
        data: the data of the objects; the first one is the saved object.
        variable: makes a variable of its data.

    Raises:
        ValueError, KeyError: the data is invalid, or a tuple contains itself.
    """
    made = [_created(each, variable) for each in typed(list, data, "what should be objects")]
    for place, each in enumerate(data):
        if each["kind"] == "tuple":
            _make_tuple(made, data, place)
    for held, each in zip(made, data):
        if isinstance(held, (list, dict, SavedObject)):
            _fill(held, {name: at(made, part, "a part") for name, part in _parts(each)})
    return made


def _created(data: Data, variable: Callable[[Data], Variable]) -> Any:
    kind = data["kind"]
    if kind == "variable":
        return variable(data)
    return _UNMADE if kind == "tuple" else _FILLED_LATER[kind]()


def _parts(data: Data) -> list[tuple[str, Any]]:
    return list(typed(dict, data["parts"], "what should be parts").items())


def _make_tuple(made: list[Any], data: Sequence[Data], place: int) -> None:
    """Make a tuple, after the tuples inside it."""
    stack, begun = [place], set[int]()
    while stack:
        place = stack[-1]
        if made[place] is not _UNMADE:
            stack.pop()
            continue
        numbers = [part for _, part in _parts(data[place])]
        parts = [at(made, part, "a part") for part in numbers]
        missing = [part for part, held in zip(numbers, parts) if held is _UNMADE]
        if missing and place in begun:
            raise ValueError("a tuple contains itself")
        begun.add(place)
        if missing:
            stack += missing
        else:
            made[place] = tuple(parts)


def _fill(made: Any, parts: Mapping[str, Any]) -> None:
    if isinstance(made, list):
        made.extend(parts.values())
    elif isinstance(made, dict):
        made.update(parts)
    else:
        for name, part in parts.items():
            if name != _OWN:
                setattr(made, attribute_name(name), part)


def attribute_name(name: Any) -> str:
    """Return the name of an attribute that a file may set.

    >>> attribute_name("__class__")
    Traceback (most recent call last):
    ValueError: '__class__' is no attribute that a file may set
    """
    found = text(name, "the name of an attribute")
    if found.startswith("__") or found == _OWN:
        raise ValueError(f"{found!r:.60} is no attribute that a file may set")
    return found


def function_name(name: Any) -> str:
    """Return the name of a function that a file may set: an attribute, `__call__` or an operator.

    >>> function_name("__call__"), function_name("__add__")
    ('__call__', '__add__')
    """
    found = text(name, "the name of a function")
    is_operator = found == "__call__" or callable(vars(operator).get(found))
    return found if found.startswith("__") and is_operator else attribute_name(found)
