"""A value unpacked into items of what is no local variable: each target is assigned by itself.

    o.x[i], o.x[j] = v    ->    item_, item__1 = v
                                o.x[i] = item_
                                o.x[j] = item__1
                                item_ = item__1 = None

so that each item can be put by what owns the container, or the index.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from autograph.lowering.operator_calls import put, read, unlined

_SEVERAL = (ast.Tuple, ast.List)


def is_unpacked_into_items(statement: ast.Assign) -> bool:
    """Tell whether a statement unpacks a value into targets of which one is an item."""
    target = statement.targets[0]
    if len(statement.targets) > 1 or not isinstance(target, _SEVERAL):
        return False
    return any(isinstance(each, ast.Subscript) for each in _single(target.elts))


def _single(targets: Iterable[ast.expr]) -> Iterable[ast.expr]:
    """Yield the targets of an unpacking, also of those in it."""
    for each in targets:
        if isinstance(each, _SEVERAL):
            yield from _single(each.elts)
        else:
            yield each.value if isinstance(each, ast.Starred) else each


class Unpacked:
    """The statements that take the place of one.

    Args:
        statement: an assignment to a tuple or list of targets.
        used: names that are taken.

    Attributes:
        used: names that are taken now.
    """

    def __init__(self, statement: Any, used: frozenset[str]) -> None:
        self._statement = statement
        self.used = used

    def statements(self) -> list[Any]:
        """Return them: the unpacking, an assignment of each target, and one that lets go."""
        statement, target = self._statement, self._statement.targets[0]
        names = [self._fresh() for _ in target.elts]
        taken = [self._taken(name, each) for name, each in zip(names, target.elts)]
        whole = put(type(target)(taken, ast.Store()), target)
        single = [each.value if isinstance(each, ast.Starred) else each for each in target.elts]
        later = [
            put(ast.Assign([each], read(name, each)), statement)
            for name, each in zip(names, single)
        ]
        last = ast.Assign(
            [put(ast.Name(name, ast.Store()), statement) for name in names],
            put(ast.Constant(None), statement),
        )
        first = put(ast.Assign([whole], statement.value), statement)
        return [first, *later, unlined(put(last, statement))]

    def _taken(self, name: str, target: Any) -> Any:
        stored = put(ast.Name(name, ast.Store()), target)
        is_starred = isinstance(target, ast.Starred)
        return put(ast.Starred(stored, ast.Store()), target) if is_starred else stored

    def _fresh(self) -> str:
        count = 0
        while (name := f"item__{count}" if count else "item_") in self.used:
            count += 1
        self.used |= {name}
        return name
