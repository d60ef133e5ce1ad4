"""A read of a variable checks that it is bound, and a deletion leaves a mark in it.

y = x + 1    ->    y = ag__.ld(x) + 1
x += 1       ->    x = ag__.ld(x); x += 1
del x        ->    x = ag__.Undefined('x')
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import blocks, is_operator
from autograph.converters.base import Conversion, Converter, Tree, functions_in
from autograph.converters.calls import Calls
from autograph.converters.conditionals import Conditionals
from autograph.converters.lists import Lists
from autograph.converters.logical import Logical
from autograph.converters.node_builders import (
    VOCABULARY,
    assign,
    name,
    new,
    operator_call,
    undefined,
)
from autograph.converters.returns import Returns
from autograph.converters.rewriter import Rewriter
from autograph.converters.slices import Slices
from autograph.syntax.names import declared_names
from autograph.syntax.tree import walk


class Variables(Converter):
    """Reads become `ag__.ld(x)`; deleted local variables become `ag__.Undefined('x')`.

    Before and after: see the top of this file.
    """

    after = {
        Returns: "flags are variables too, and calls of the scope are not reads of it",
        Lists: "a list is found by its name",
        Slices: "a variable whose item is assigned is found by its name",
        Calls: "`super` and `locals` are found by their names",
        Conditionals: "the text of a test is that of the user's code",
        Logical: "the operands of generated thunks are read when they are evaluated",
    }
    needs = ("reaching_definitions",)
    handles = (gast.Name,)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        return _Variables(conversion, _doubtful_deletions(tree, facts)).rewrite(tree)


def _doubtful_deletions(tree: Tree, facts: FunctionFacts) -> frozenset[Any]:
    """Return the targets of `del` statements that may be unbound."""
    if not facts.inventory.has(gast.Delete):
        return frozenset()
    return frozenset(
        target
        for function in functions_in(tree)
        for target in _doubtful_in(function.body, facts.of(function))
    )


def _doubtful_in(statements: list[gast.stmt], facts: FunctionFacts) -> Iterator[Any]:
    for statement in statements:
        if isinstance(statement, gast.Delete):
            names = [n for n in walk(statement) if isinstance(n, gast.Name)]
            repeated = len({n.id for n in names}) < len(names)
            reaching = facts.reaching_definitions
            yield from (n for n in names if repeated or reaching.may_be_undefined(statement, n.id))
        for block in blocks(statement):
            yield from _doubtful_in(block, facts)


class _Variables(Rewriter):
    def __init__(self, conversion: Conversion, doubtful: frozenset[Any]) -> None:
        self._ours = {VOCABULARY, *conversion.scopes}
        self._scopes = conversion.scopes
        self._doubtful = doubtful
        self._declared: frozenset[str] = frozenset()

    def function(self, node: Any, walk: Any) -> None:
        before = self._declared
        self._declared = frozenset(declared_names(node.body))
        walk()
        self._declared = before

    def visit_Name(self, node: Any) -> Any:
        if not isinstance(node.ctx, gast.Load) or node.id in self._ours:
            return node
        return operator_call("ld", [node], node)

    def visit_Call(self, node: Any) -> Any:
        if is_operator(node.func):
            return self._word(node)
        if self._is_ret(node):
            return node
        if isinstance(node.func, gast.Name) and node.func.id == "super":
            self._list(node, "args")
            self._list(node, "keywords")
            return node
        return self.generic(node)

    def _word(self, node: gast.Call) -> gast.Call:
        if node.func.attr == "converted_call" and isinstance(node.args[2], gast.Call):
            # The `dict` of keyword arguments is synthetic.
            self._list(node.args[2], "keywords")
            node.args[:2] = [self.visit(argument) for argument in node.args[:2]]
        elif node.func.attr != "ld":
            self._list(node, "args")
        return node

    def _is_ret(self, node: gast.Call) -> bool:
        """Return whether a call is `fscope.ret(value, flag)`, whose variables are synthetic."""
        function = node.func
        if not isinstance(function, gast.Attribute) or function.attr != "ret":
            return False
        is_ours = isinstance(function.value, gast.Name) and function.value.id in self._scopes
        return is_ours and isinstance(node.args[1], gast.Name)

    def visit_AugAssign(self, node: Any) -> Any:
        self.generic(node)
        if not isinstance(node.target, gast.Name):
            return node
        variable, target = node.target.id, node.target
        read = operator_call("ld", [name(variable, target)], target)
        return [assign(variable, read, node), node]

    def visit_Delete(self, node: Any) -> Any:
        return [statement for target in node.targets for statement in self._deleted(target)]

    def _deleted(self, target: Any) -> list[Any]:
        if isinstance(target, (gast.Tuple, gast.List)):
            return [statement for e in target.elts for statement in self._deleted(e)]
        if not isinstance(target, gast.Name) or target.id in self._declared:
            return [new(gast.Delete, target, targets=[self.visit(target)])]
        variable = target.id
        deletion = undefined(variable, target)
        if target not in self._doubtful:
            return [deletion]
        read = operator_call("ld", [name(variable, target)], target)
        return [new(gast.Expr, target, value=read), deletion]
