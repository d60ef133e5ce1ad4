"""Traversal of the attributes of objects, and of lists, tuples and dicts in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

# Attributes that are not searched.
_OWN = ("_own",)


class _Forms(dict[type, str]):
    """A cache of how to traverse each type: checks against abstract base classes are slow."""

    def __missing__(self, kind: type) -> str:
        if len(self) >= _MOST_TYPES:
            self.clear()
        form = "mapping" if issubclass(kind, Mapping) else "leaf"
        self[kind] = form = "sequence" if issubclass(kind, (list, tuple)) else form
        return form


_MOST_TYPES = 4096
_FORMS = _Forms()


def leaves(value: Any) -> Iterator[Any]:
    """Yield the leaves of lists, tuples and dicts; dicts in the order of keys."""
    form = _FORMS[type(value)]
    if form == "mapping":
        for key in _in_order(value):
            yield from leaves(value[key])
    elif form == "sequence":
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
        kinds: the types to find.
        by_name: whether to sort by the attributes' names, else in the order set.
    """
    attributes = vars(holder)
    found: dict[int, Any] = {}
    for name in sorted(attributes) if by_name else attributes:
        value = attributes[name]
        if name in _OWN:
            continue
        if _FORMS[type(value)] == "leaf":
            if isinstance(value, kinds):
                found[id(value)] = value
            continue
        for leaf in leaves(value):
            if isinstance(leaf, kinds):
                found[id(leaf)] = leaf
    return list(found.values())


def each_once(objects: Iterable[Any]) -> list[Any]:
    """Return objects in order, without repetitions of one object."""
    return list({id(each): each for each in objects}.values())


def all_below(start: Any, inside: Callable[[Any], Iterable[Any]]) -> list[Any]:
    """Return an object and the objects inside, nearest first, each one once.

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
