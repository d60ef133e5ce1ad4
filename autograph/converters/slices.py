"""An item assignment rebinds its variable, since a tensor is immutable.

x[i] = v     ->    x = ag__.set_item(v, x, i)
x[i] += v    ->    x = ag__.update_item(x, i, '+=', lambda: v)
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.converters.base import Conversion, Converter, Tree
from autograph.converters.node_builders import assign, constant, name, new, operator_call, thunk
from autograph.converters.rewriter import Rewriter
from autograph.converters.walruses import Walruses, has_pins
from autograph.syntax.names import bound_names, walk_scope
from runtime.core.fork_safety import cached_property

_SYMBOLS: dict[type, str] = {
    gast.Add: "+=",
    gast.Sub: "-=",
    gast.Mult: "*=",
    gast.MatMult: "@=",
    gast.Div: "/=",
    gast.FloorDiv: "//=",
    gast.Mod: "%=",
    gast.Pow: "**=",
    gast.LShift: "<<=",
    gast.RShift: ">>=",
    gast.BitOr: "|=",
    gast.BitXor: "^=",
    gast.BitAnd: "&=",
}


class Slices(Converter):
    """Item assignments to local variables become assignments of the variables.

    Before: `x[a:b] = v`. After: `x = ag__.set_item(v, x, ag__.slice_(a, b, None))`.
    """

    after = {Walruses: "the value of an augmented assignment may have one, and becomes a function"}
    handles = (gast.Subscript,)
    makes = (gast.Lambda,)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        return _Slices(conversion).rewrite(tree)


class _Locals:
    """The names that a function binds itself, computed at the first use."""

    def __init__(self, function: Any) -> None:
        self._function = function

    @cached_property
    def names(self) -> frozenset[str]:
        declared = [
            name
            for statement in self._function.body
            for node in walk_scope(statement)
            if isinstance(node, (gast.Global, gast.Nonlocal))
            for name in node.names
        ]
        return frozenset([*bound_names(self._function), *declared])


class _Slices(Rewriter):
    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion
        self._locals: _Locals | None = None

    def function(self, node: Any, walk: Any) -> None:
        before, self._locals = self._locals, _Locals(node)
        walk()
        self._locals = before

    def visit_Assign(self, node: Any) -> Any:
        self.generic(node)
        return self._one_target(node) if len(node.targets) == 1 else self._chained(node)

    def _chained(self, node: Any) -> Any:
        """Return `x[i] = y = v` as an assignment to a new name, and one for each target."""
        if not any(isinstance(e, gast.Subscript) for each in node.targets for e in gast.walk(each)):
            return node
        given = self._conversion.fresh_item()
        taken = name(given, node.value, store=True)
        found = [new(gast.Assign, node, targets=[taken], value=node.value, type_comment=None)]
        for target in node.targets:
            value = name(given, target)
            one = new(gast.Assign, node, targets=[target], value=value, type_comment=None)
            made = self._one_target(one)
            found += made if isinstance(made, list) else [made]
        return found

    def _one_target(self, node: Any) -> Any:
        target = node.targets[0]
        if isinstance(target, (gast.Tuple, gast.List)) and self._has_items(target):
            return self._one_by_one(node, target)
        return self._rebinding(node, target, node.value) if self._is_item(target) else node

    def _has_items(self, target: Any) -> bool:
        if isinstance(target, (gast.Tuple, gast.List)):
            return any(map(self._has_items, target.elts))
        inner = target.value if isinstance(target, gast.Starred) else target
        return self._is_item(inner)

    def visit_AugAssign(self, node: Any) -> Any:
        self.generic(node)
        target = node.target
        if not self._is_item(target) or has_pins(node.value):
            return node
        self._conversion.report_staged(node)
        variable = target.value.id
        symbol = constant(_SYMBOLS[type(node.op)], target)
        place = [name(variable, target.value), _index(target.slice)]
        updated = operator_call("update_item", [*place, symbol, thunk(node.value)], target)
        return assign(variable, updated, node)

    def _is_item(self, target: Any) -> bool:
        """Return whether a target is an item of a variable that the function binds."""
        if not isinstance(target, gast.Subscript) or self._locals is None:
            return False
        return isinstance(target.value, gast.Name) and target.value.id in self._locals.names

    def _rebinding(self, node: Any, target: Any, value: Any) -> Any:
        self._conversion.report_staged(node)
        variable = target.value.id
        arguments = [value, name(variable, target.value), _index(target.slice)]
        return assign(variable, operator_call("set_item", arguments, target), node)

    def _one_by_one(self, node: Any, target: Any) -> list[Any]:
        """Return `x[i], i = v` as an assignment to new names, and one for each of them.

        Targets after an item get new names, too, since one of them may be its index.
        """
        fresh: list[Any] = []
        later: list[Any] = []
        for element in target.elts:
            if not later and not self._has_items(element):
                fresh.append(element)
                continue
            given = self._conversion.fresh_item()
            taken = name(given, element, store=True)
            if isinstance(element, gast.Starred):
                fresh.append(new(gast.Starred, element, value=taken, ctx=gast.Store()))
                element = element.value
            else:
                fresh.append(taken)
            value = name(given, element)
            one = new(gast.Assign, node, targets=[element], value=value, type_comment=None)
            made = self._one_target(one)
            later += made if isinstance(made, list) else [made]
        whole = new(type(target), target, elts=fresh, ctx=gast.Store())
        first = new(gast.Assign, node, targets=[whole], value=node.value, type_comment=None)
        return [first, *later]


def _index(node: Any) -> Any:
    if isinstance(node, gast.Slice):
        bounds = [node.lower, node.upper, node.step]
        return operator_call("slice_", [b or constant(None, node) for b in bounds], node)
    if isinstance(node, gast.Tuple):
        return new(gast.Tuple, node, elts=[_index(e) for e in node.elts], ctx=gast.Load())
    return node
