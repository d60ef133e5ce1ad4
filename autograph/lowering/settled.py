"""Variables whose values are met once, where they are bound, and not at every use.

def f(x):            def f(x):
                ->       ag__.met(x)
    y = x + x            y = x + x
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

from autograph.lowering.walking import Visitor
from autograph.lowering.words import put, put_off, read, say, word_of
from autograph.syntax.tree import nodes


def settled_names(function: Any) -> frozenset[str]:
    """Return the variables bound by parameters and plain assignments only, and read more often.

    >>> tree = ast.parse("def f(x, y):\\n a = x + x\\n a, b = y, y").body[0]
    >>> sorted(settled_names(tree))
    ['x', 'y']
    """
    uses = _Uses()
    uses.visit(function)
    return frozenset(
        name
        for name, count in uses.reads.items()
        if name not in uses.others and 0 < uses.bindings[name] < count
    )


def meeting(name: str) -> ast.stmt:
    """Return the statement `ag__.met(name)`, on no line of its own."""
    place = put_off(ast.Pass())
    return put(ast.Expr(say("met", [read(name, place)], place)), place)


class _Uses(Visitor):
    def __init__(self) -> None:
        self.reads: Counter[str] = Counter()
        self.bindings: Counter[str] = Counter()
        self.others: set[str] = set()

    def visit_FunctionDef(self, node: Any) -> None:
        self.others.add(node.name)
        self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Assign(self, node: ast.Assign) -> None:
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            self.bindings[node.targets[0].id] += 1
            self.visit(node.value)
        else:
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.others.add(node.target.id)
        self.generic_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        # A lambda has no place to meet its parameters.
        for parameter in nodes(node.args):
            if isinstance(parameter, ast.arg):
                self.others.add(parameter.arg)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if word_of(node) == "ld" and isinstance(node.args[0], ast.Name):
            self.others.add(node.args[0].id)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.reads[node.id] += 1
        else:
            self.others.add(node.id)

    def visit_arguments(self, node: ast.arguments) -> None:
        for parameter in (*node.posonlyargs, *node.args, *node.kwonlyargs):
            self.bindings[parameter.arg] += 1
        for rest in (node.vararg, node.kwarg):
            if rest is not None:
                self.others.add(rest.arg)
        self.generic_visit(node)

    def _declared(self, node: Any) -> None:
        self.others.update(node.names)

    visit_Global = visit_Nonlocal = _declared

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name is not None:
            self.others.add(node.name)
        self.generic_visit(node)

    def visit_alias(self, node: ast.alias) -> None:
        self.others.add((node.asname or node.name).partition(".")[0])
