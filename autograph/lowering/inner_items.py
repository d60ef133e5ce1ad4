"""An item assigned of what is an item or attribute itself: a tensor there is replaced.

    o.x[i] = v    ->    place_ = v
                        place__1 = o
                        place__2 = ag__.met(place__1.x)
                        place__3 = i
                        if ag__.updates_in_place(place__2, place__3):
                            place__2[place__3] = place_
                        elif (place__4 := ag__.set_item(place_, place__2, ...)) is not place__2:
                            place__1.x = place__4

Nothing is evaluated twice, and all in Python's order. A variable of a function further out, or of
the module, stays what it is: only a list in it can change.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from autograph.lowering.item_updates import OPERATORS
from autograph.lowering.operator_calls import index_value, put, put_off, read, say, unlined, word_of
from autograph.lowering.tree_visitors import Transformer
from autograph.lowering.unpacked_items import Unpacked, is_unpacked_into_items
from autograph.syntax.tree import nodes, statements_in

SYMBOLS = {operator: symbol for symbol, operator in OPERATORS.items()}
# What works only in the function it is written in.
_STAYING = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)


def with_inner_items(function: Any, used: Callable[[], frozenset[str]]) -> Any:
    """Return the converted function with such assignments on two roads, changed in place.

    Args:
        function: the converted function.
        used: gives the names that are taken.
    """
    if not any(map(_may_assign_items, statements_in(function))):
        return function
    return _InnerItems(used()).visit(function)


def _may_assign_items(statement: Any) -> bool:
    if isinstance(statement, ast.AugAssign):
        return not isinstance(statement.target, ast.Name)
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    return any(map(_may_hold_items, targets))


def _may_hold_items(target: Any) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return any(map(_may_hold_items, target.elts))
    return not isinstance(target, ast.Name)


class _InnerItems(Transformer):
    def __init__(self, used: frozenset[str]) -> None:
        self._used = used

    def visit_Assign(self, node: ast.Assign) -> Any:
        if is_unpacked_into_items(node):
            unpacked, before = Unpacked(node, self._used), self._used
            first, *rest = unpacked.statements()
            # What is unpacked in there must not take its names.
            self._used = unpacked.used
            statements = [first, *self._items(rest)]
            self._used = before
            return statements
        return _Roads(node, self._used).statements() if _is_inside_another(node) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Put the roads in the place of `o.x[i] += v`."""
        return _Roads(node, self._used).statements() if _is_inside_another(node) else node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        # In the body of a class every name would be an attribute.
        inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        node.body = [self.visit(each) if isinstance(each, inside) else each for each in node.body]
        return node


class _Roads:
    """The statements that take the place of one."""

    def __init__(self, statement: Any, used: frozenset[str]) -> None:
        self._statement = statement
        self._used = used
        self._names: list[str] = []
        self._steps: list[ast.stmt] = []

    def statements(self) -> list[ast.stmt]:
        """Return them, the last of which lets go of what was looked at."""
        statement = self._statement
        target = item_target(statement)
        place = _unmet(target.value)
        value = None if isinstance(statement, ast.AugAssign) else self._held(statement.value)
        if isinstance(place, ast.Name):
            return self._of_variable(place, target, value)
        if _is_made(place):
            return self._of_value(target, value)
        owner = self._held(place.value)
        key = self._held(place.slice) if isinstance(place, ast.Subscript) else None
        base = self._held(say("met", [self._part(place, owner, key)], place))
        index = self._held(index_value(target.slice))
        item = put(ast.Subscript(read(base, target), read(index, target), ast.Store()), target)
        python, new = self._both(item, value, base, index)
        again = self._again(place, owner, key, base, new)
        asked = [base, index] if key is None else [base, index, owner, key]
        test = say("updates_in_place", [read(each, target) for each in asked], target)
        roads = put_off(ast.If(test, [put(python, statement)], again))
        return [*self._steps, roads, self._forgotten()]

    def _of_variable(self, place: ast.Name, target: Any, value: str | None) -> list[ast.stmt]:
        """Return them for a variable of a function further out, or of the module."""
        base = self._held(say("seen", [place], place))
        index = self._held(index_value(target.slice))
        item = put(ast.Subscript(read(base, target), read(index, target), ast.Store()), target)
        python, new = self._both(item, value, base, index)
        test = say("updates_in_place", [read(each, target) for each in (base, index)], target)
        name = put(ast.Constant(place.id), place)
        changed = ast.Expr(say("same_container", [new, read(base, target), name], target))
        roads = put_off(ast.If(test, [put(python, self._statement)], [put(changed, target)]))
        return [*self._steps, roads, self._forgotten()]

    def _of_value(self, target: Any, value: str | None) -> list[ast.stmt]:
        """Return them for what a call gives, or for a part of an array."""
        base, index = self._held(target.value), self._held(index_value(target.slice))
        item = put(ast.Subscript(read(base, target), read(index, target), ast.Store()), target)
        python, new = self._both(item, value, base, index)
        test = say("updates_in_place", [read(each, target) for each in (base, index)], target)
        changed = put(ast.Expr(new), target)
        roads = put_off(ast.If(test, [put(python, self._statement)], [changed]))
        return [*self._steps, roads, self._forgotten()]

    def _part(self, place: Any, owner: str, key: str | None) -> ast.expr:
        if key is None:
            return put(ast.Attribute(read(owner, place.value), place.attr, ast.Load()), place)
        return say("get_item", [read(owner, place.value), read(key, place.slice)], place)

    def _again(
        self, place: Any, owner: str, key: str | None, base: str, new: ast.expr
    ) -> list[ast.stmt]:
        """Return the assignment of the new value to the place, if it is another one."""
        statement = self._statement
        if key is not None:
            where = [read(owner, place.value), read(key, place.slice)]
            return [put(ast.Expr(say("put_item", [*where, new], place)), statement)]
        name = self._fresh()
        kept = put(ast.NamedExpr(put(ast.Name(name, ast.Store()), place), new), place)
        is_other = ast.Compare(kept, [ast.IsNot()], [read(base, place)])
        target = ast.Attribute(read(owner, place.value), place.attr, ast.Store())
        assigned = put(ast.Assign([put(target, place)], read(name, place)), statement)
        return [put(ast.If(put(is_other, place), [assigned], []), statement)]

    def _both(self, item: Any, value: str | None, base: str, index: str) -> tuple[Any, ast.expr]:
        """Return what Python does, and the new value of the place."""
        statement = self._statement
        where = [read(base, item), read(index, item)]
        if value is not None:
            new = say("set_item", [read(value, statement.value), *where], item)
            return ast.Assign([item], read(value, statement.value)), new
        symbol = put(ast.Constant(SYMBOLS[type(statement.op)]), item)
        added = put(ast.Lambda(no_parameters(), statement.value), statement.value)
        python = ast.AugAssign(item, statement.op, statement.value)
        return python, say("update_item", [*where, symbol, added], item)

    def _held(self, value: Any) -> str:
        """Keep the value of an expression; return the name it is kept under."""
        name = self._fresh()
        stored = put(ast.Name(name, ast.Store()), value)
        self._steps.append(put(ast.Assign([stored], value), value))
        return name

    def _fresh(self) -> str:
        count = len(self._names)
        while (name := f"place__{count}" if count else "place_") in {*self._used, *self._names}:
            count += 1
        self._names.append(name)
        return name

    def _forgotten(self) -> ast.stmt:
        stored = [put(ast.Name(name, ast.Store()), self._statement) for name in self._names]
        nothing = put(ast.Constant(None), self._statement)
        return unlined(put(ast.Assign(stored, nothing), self._statement))


def _is_inside_another(statement: Any) -> bool:
    target = item_target(statement)
    if target is None:
        return False
    place = _unmet(target.value)
    return isinstance(place, (ast.Attribute, ast.Name, ast.Subscript)) or _is_made(place)


def _is_made(place: Any) -> bool:
    """Tell whether items are assigned in what a call gives, or of a slice."""
    if isinstance(place, ast.Subscript):
        return word_of(place.slice) == "slice_" or isinstance(place.slice, ast.Slice)
    return isinstance(place, ast.Call) and word_of(place) is None


def item_target(statement: Any) -> Any:
    """Return the subscript a statement assigns to, None if that is not all it does."""
    if isinstance(statement, ast.AugAssign):
        target: Any = statement.target
        if any(isinstance(node, _STAYING) for node in nodes(statement.value)):
            return None
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    else:
        return None
    return target if isinstance(target, ast.Subscript) else None


def _unmet(node: Any) -> Any:
    """Return what is met, or picked by a word, as the user wrote it."""
    if word_of(node) in ("met", "seen"):
        return _unmet(node.args[0])
    if word_of(node) == "get_item":
        container, index = node.args
        return put(ast.Subscript(container, index, ast.Load()), node)
    return node


def no_parameters() -> ast.arguments:
    """Return the parameters of `lambda: ...`."""
    return ast.arguments([], [], None, [], [], None, [])
