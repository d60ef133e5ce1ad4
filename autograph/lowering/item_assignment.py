"""`x[i] = v` on a tensor outside a trace: the one thing the first half does that Python does not.

    x[i] = v    ->    if <x is no list> and ag__.is_rebound(x):
                          x = ag__.set_item(v, x, i)
                      else:
                          x[i] = v

and `x[i] += v` in the same way. A trace rebinds `x`, since a tensor cannot change; a function
called with the same tensors without one must do the same.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from autograph.lowering.constants import Constants
from autograph.lowering.inner_items import SYMBOLS, item_target, no_parameters
from autograph.lowering.operator_calls import put, read
from autograph.lowering.tree_visitors import Transformer
from autograph.lowering.user_function import Original
from autograph.syntax.tree import nodes, statements_in


def with_items_rebound(
    original: Original, statements: list[ast.stmt], vocabulary: object, constants: Constants
) -> list[ast.stmt]:
    """Return the statements of the user's function, those with such assignments copied.

    Only a variable that surely holds something is looked at before the value is computed.
    """
    rewriter = _Items(vocabulary, constants)
    arguments = nodes(original.function.args)
    bound = {argument.arg for argument in arguments if isinstance(argument, ast.arg)}
    result: list[ast.stmt] = []
    for statement in statements:
        rewriter.bound = bound - original.deleted
        is_met = any(map(rewriter.target_of, statements_in(statement)))
        result.append(rewriter.visit(copy.deepcopy(statement)) if is_met else statement)
        if isinstance(statement, ast.Assign):
            bound |= {t.id for t in statement.targets if isinstance(t, ast.Name)}
    return result


class _Items(Transformer):
    def __init__(self, vocabulary: object, constants: Constants) -> None:
        self.bound: set[str] = set()
        self._vocabulary = vocabulary
        self._constants = constants

    def target_of(self, node: Any) -> Any:
        """Return the target `x[i]` of an assignment to an item of a local variable."""
        target = item_target(node)
        if target is None or not isinstance(target.value, ast.Name):
            return None
        return target if target.value.id in self.bound else None

    def _scope(self, node: ast.AST) -> ast.AST:
        """Leave alone what has variables of its own."""
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _scope
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _scope

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        target = self.target_of(node)
        if target is None:
            return node
        variable = target.value.id
        arguments = [node.value, read(variable, target), self._index(target.slice)]
        return self._either(node, target, self._say("set_item", arguments, node))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        target = self.target_of(node)
        if target is None:
            return node
        variable = read(target.value.id, target)
        symbol = put(ast.Constant(SYMBOLS[type(node.op)]), target)
        added = put(ast.Lambda(no_parameters(), node.value), node.value)
        arguments = [variable, self._index(target.slice), symbol, added]
        return self._either(node, target, self._say("update_item", arguments, node))

    def _either(self, node: Any, target: Any, new: ast.expr) -> ast.stmt:
        """Return the statement, and the rebinding where that is what it means."""
        variable = target.value.id
        rebound = put(ast.Name(variable, ast.Store()), target)
        rebinding = put(ast.Assign([rebound], new), node)
        is_other = put(ast.Compare(self._type_of(variable, node), [ast.IsNot()], []), node)
        is_other.comparators.append(self._constants.node(list, node))
        is_ours = self._say("is_rebound", [read(variable, node)], node)
        return put(
            ast.If(put(ast.BoolOp(ast.And(), [is_other, is_ours]), node), [rebinding], [node]), node
        )

    def _type_of(self, variable: str, origin: Any) -> ast.expr:
        return put(
            ast.Call(self._constants.node(type, origin), [read(variable, origin)], []), origin
        )

    def _say(self, word: str, arguments: list[Any], origin: Any) -> ast.expr:
        vocabulary = self._constants.node(self._vocabulary, origin)
        function = put(ast.Attribute(vocabulary, word, ast.Load()), origin)
        return put(ast.Call(function, arguments, []), origin)

    def _index(self, node: Any) -> Any:
        if isinstance(node, ast.Slice):
            none = put(ast.Constant(None), node)
            return self._say(
                "slice_", [b or none for b in (node.lower, node.upper, node.step)], node
            )
        if isinstance(node, ast.Tuple):
            return put(ast.Tuple([self._index(each) for each in node.elts], ast.Load()), node)
        return node
