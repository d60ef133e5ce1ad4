"""Calls become calls of an operator, which decides when it is called whether to convert the callee.

f(x, *rest, k=v)    ->    ag__.converted_call(f, (x, *rest), dict(k=v), fscope)
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import is_operator
from autograph.converters.base import (
    Conversion,
    Converter,
    Tree,
    functions_in,
    main_function,
    scope_of,
)
from autograph.converters.directives import Directives
from autograph.converters.functions import Functions
from autograph.converters.lists import Lists
from autograph.converters.node_builders import constant, name, new, operator_call
from autograph.converters.returns import Returns
from autograph.converters.rewriter import Rewriter
from autograph.converters.supers import Supers
from autograph.syntax.names import bound_names


class Calls(Converter):
    """Calls become `ag__.converted_call`.

    Before: `f(x)`. After: `ag__.converted_call(f, (x,), None, fscope)`. `super(C, self)` stays: its
    result does not depend on the frame.
    """

    after = {
        Supers: "a call of `super` is found by its name",
        Functions: "a call has the name of the function's scope",
        Directives: "a directive is found as a call",
        Returns: "the call that returns through the scope is not the user's",
        Lists: "list methods are found as calls",
    }
    handles = (gast.Call,)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        return _CallConversion(tree, facts, conversion).rewrite(tree)


class _CallConversion(Rewriter):
    def __init__(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> None:
        self._conversion = conversion
        self._scopes = conversion.scopes
        self._dict_is_hidden = _is_dict_hidden(tree, facts, conversion)
        self._scope = _lambda_scope(main_function(tree))

    def function(self, node: Any, walk: Any) -> None:
        before, scope = self._scope, scope_of(node)
        if scope is not None:
            self._scope = scope.items[0].optional_vars.id
        walk()
        self._scope = before

    def visit_Call(self, node: Any) -> Any:
        if self._is_ours(node.func):
            for field in ("args", "keywords"):
                self._list(node, field)
            return node
        self.generic(node)
        if _is_super(node):
            self._conversion.report_note(node, "it finds the same method from Python")
            return node
        if self._scope is None:
            self._conversion.report_python(node, "it stands in a lambda that is a generator")
            return node
        self._conversion.report_call(node)
        positional = new(gast.Tuple, node, elts=node.args, ctx=gast.Load())
        arguments = [node.func, positional, self._keywords(node), name(self._scope, node)]
        return operator_call("converted_call", arguments, node)

    def _is_ours(self, function: Any) -> bool:
        if is_operator(function):
            return True
        value = function.value if isinstance(function, gast.Attribute) else None
        return isinstance(value, gast.Name) and value.id in self._scopes

    def _keywords(self, node: gast.Call) -> Any:
        if not node.keywords:
            return constant(None, node)
        if self._dict_is_hidden:
            return _display(node)
        return new(gast.Call, node, func=name("dict", node), args=[], keywords=node.keywords)


def _is_dict_hidden(tree: Tree, facts: FunctionFacts, conversion: Conversion) -> bool:
    """Return whether the user's code binds the name `dict`."""
    if (conversion.namespace or {}).get("dict", dict) is not dict:
        return True
    if "dict" not in facts.inventory.identifiers:
        return False
    return any("dict" in bound_names(function) for function in functions_in(tree))


def _display(node: gast.Call) -> gast.Dict:
    """Return the keywords as a dict display, for code with a `dict` of its own."""
    keys = [None if k.arg is None else constant(k.arg, k) for k in node.keywords]
    return new(gast.Dict, node, keys=keys, values=[k.value for k in node.keywords])


def _is_super(node: gast.Call) -> bool:
    return isinstance(node.func, gast.Name) and node.func.id == "super"


def _lambda_scope(function: Any) -> str | None:
    """Return the scope variable of a main lambda."""
    body = function.body
    if isinstance(body, gast.Call) and is_operator(body.func, "with_function_scope"):
        return str(body.args[0].args.args[0].id)
    return None
