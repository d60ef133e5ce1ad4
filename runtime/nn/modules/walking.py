"""What an object holds in its attributes, and in lists, tuples and dicts there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

# Attributes of a module that are its own affair.
_OWN = ("_own",)


def attributes_of(holder: Any) -> dict[str, Any]:
    """Return the attributes of an object, without what a module keeps for itself."""
    return {name: value for name, value in vars(holder).items() if name not in _OWN}


def leaves(value: Any) -> Iterator[Any]:
    """Yield what a value holds that is no list, tuple, set or dict; dicts in the order of keys."""
    if isinstance(value, Mapping):
        for key in _in_order(value):
            yield from leaves(value[key])
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def _in_order(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError:
        return list(mapping)


def held(holder: Any, kinds: type | tuple[type, ...], by_name: bool) -> list[Any]:
    """Return the objects of some types in the attributes of an object, each one once.

    Args:
        holder: any object with attributes.
        kinds: the types looked for.
        by_name: whether in the order of the attributes' names, else as they were set.
    """
    attributes = attributes_of(holder)
    names = sorted(attributes) if by_name else list(attributes)
    found = (leaf for name in names for leaf in leaves(attributes[name]))
    return each_once(leaf for leaf in found if isinstance(leaf, kinds))


def each_once(objects: Iterable[Any]) -> list[Any]:
    """Return objects in order, each by its identity only once."""
    return list({id(each): each for each in objects}.values())


def all_below(start: Any, inside: Callable[[Any], Iterable[Any]]) -> list[Any]:
    """Return an object and what is inside of it, nearest first, each one once.

    >>> all_below(8, lambda n: [n // 2, n // 4] if n > 1 else [])
    [8, 4, 2, 1, 0]
    """
    found, waiting = {id(start): start}, [start]
    while waiting:
        for each in inside(waiting.pop(0)):
            if id(each) not in found:
                found[id(each)] = each
                waiting.append(each)
    return list(found.values())
