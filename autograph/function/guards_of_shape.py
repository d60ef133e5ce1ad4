"""Guards on what objects and classes have, not on what it is: attributes, methods, code.

hasattr(o, "cache"), try: o.limit       which attributes an object has, of those the code names
o.method(x)                             what its classes have under these names
helper(x)                               the code and the defaults of a function
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType
from typing import Any

from autograph.backends.graph.program.contents import (
    Attributes,
    ClassVariables,
    Globals,
    contents_of,
    is_indexed,
    users_classes,
)
from autograph.backends.graph.watching.reach import Reach
from autograph.backends.graph.watching.watched import Watched
from autograph.operators.user_classes import mro_of, own_attributes


@dataclass(frozen=True, slots=True)
class ShapeGuard:
    """What one object, class or function had when the function was traced.

    Attributes:
        name: how the user writes it.
        owner: gives it; None when it is gone.
        identity: what tells it from others; a reference would ask the object whether it is equal.
        names: those that code mentions.
        seen: what tells it from others.
        text: the same in words.
    """

    name: str
    owner: weakref.ref[Any]
    identity: object
    names: frozenset[str]
    seen: object
    text: str

    def now(self) -> object:
        """Return what tells what it has by now from what it had."""
        owner = self.owner()
        return None if owner is None else _seen(owner, self.names)

    def now_text(self) -> str:
        """Return what it has by now in words."""
        owner = self.owner()
        return "gone" if owner is None else _text(owner, self.names)


def shape_guards(
    reach: Reach, functions: Iterable[FunctionType], names: frozenset[str]
) -> Iterator[ShapeGuard]:
    """Yield such guards on all that code can reach.

    Args:
        reach: what it can reach.
        functions: those that may run.
        names: what their code mentions.
    """
    texts = (each for f in functions for each in _texts(f.__code__))
    names = names.union(texts)
    guarded = dict[int, Any]()
    for each in list(reach):
        owner = _object(each)
        if owner is not None:
            guarded.setdefault(id(owner), (each.name, owner))
            for kind in users_classes(owner):
                guarded.setdefault(id(kind), (kind.__name__, kind))
    for function in functions:
        guarded.setdefault(id(function), (function.__name__, function))
    for name, owner in guarded.values():
        try:
            reference = weakref.ref(owner)
        except TypeError:
            continue
        yield ShapeGuard(
            name=name,
            owner=reference,
            identity=("shape", id(owner)),
            names=names,
            seen=_seen(owner, names),
            text=_text(owner, names),
        )


def _object(each: Watched) -> Any:
    """Return what was watched, if it is an object with attributes."""
    if isinstance(each.value, (Attributes, ClassVariables)):
        return each.value.owner
    is_other = is_indexed(each.value) or isinstance(each.value, (Globals, CellType))
    return None if is_other else each.value


def _texts(code: CodeType) -> Iterator[str]:
    """Yield the texts in code that may name an attribute, as for `hasattr`."""
    for each in code.co_consts:
        if isinstance(each, str) and each.isidentifier():
            yield each
        elif isinstance(each, CodeType):
            yield from _texts(each)


def _seen(owner: Any, names: frozenset[str]) -> object:
    if isinstance(owner, FunctionType):
        return owner.__code__, id(owner.__defaults__), id(owner.__kwdefaults__)
    if isinstance(owner, type):
        return tuple(
            (kind, name, id(own[name]) if hasattr(type(own[name]), "__get__") else None)
            for kind in mro_of(owner)
            for own in [own_attributes(kind)]
            for name in sorted(names & own.keys())
        )
    return type(owner), tuple(sorted(names & (contents_of(owner) or {}).keys()))


def _text(owner: Any, names: frozenset[str]) -> str:
    if isinstance(owner, FunctionType):
        return f"a function of line {owner.__code__.co_firstlineno}"
    if isinstance(owner, type):
        return "a class with other methods"
    had = ", ".join(sorted(names & (contents_of(owner) or {}).keys()))
    return f"a {type(owner).__name__} with {had or 'none of the attributes'}"
