"""Comprehensions become calls that take the iterables, and a function for each item.

[f(v) for v in xs if c(v)]    ->    ag__.list_comp(xs, lambda itr, take: [
                                        take(lambda: f(v), lambda: c(v)) for v in itr], {...})

The iterable is evaluated at the comprehension. The target stays that of a comprehension, so it is
no variable of the function, and the thunks of one item share it.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import COMPREHENSIONS, is_operator
from autograph.analysis.reasons import reason_not_lambda, reason_not_nested
from autograph.converters.base import Conversion, Converter, Tree
from autograph.converters.control_flow import ControlFlow
from autograph.converters.node_builders import constant, name, new, operator_call, thunk
from autograph.converters.rewriter import Rewriter

_WORDS: dict[type, str] = {
    gast.ListComp: "list_comp",
    gast.SetComp: "set_comp",
    gast.DictComp: "dict_comp",
    gast.GeneratorExp: "gen_exp",
}
# Builtins that consume a generator at once.
_CONSUMERS = frozenset("all any dict frozenset list max min next set sorted sum tuple".split())


class Comprehensions(Converter):
    """Comprehensions and generator expressions become `ag__.list_comp` and its like.

    Before and after: see the top of this file. One with an `await` or a walrus stays
    Python, and so does one that reads a name before its own clause binds it.
    """

    after = {ControlFlow: "it finds the scopes of comprehensions by their nodes"}
    handles = COMPREHENSIONS
    makes = (gast.Lambda,)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        return _Comprehensions(conversion).rewrite(tree)


class _Comprehensions(Rewriter):
    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion
        self._consumers: dict[int, str] = {}

    def visit_Call(self, node: Any) -> Any:
        if is_operator(node.func, "converted_call"):
            self._record_consumer(*node.args[:2])
        return self.generic(node)

    def _record_consumer(self, function: Any, positional: Any) -> None:
        """Record a generator expression that is the first argument of a builtin in `_CONSUMERS`."""
        read = function.args[0] if isinstance(function, gast.Call) and function.args else function
        first = positional.elts[0] if getattr(positional, "elts", ()) else None
        if isinstance(read, gast.Name) and isinstance(first, gast.GeneratorExp):
            if read.id in _CONSUMERS:
                self._consumers[id(first)] = read.id

    def _comprehension(self, node: Any) -> Any:
        reason = reason_not_lambda(node) or reason_not_nested(node)
        consumer = self._consumers.get(id(node))
        self.generic(node)
        if reason:
            self._conversion.report_python(node, reason)
            return node
        self._conversion.report_staged(node)
        over = self._over(node, node.generators)
        options = self._options(node, consumer)
        return operator_call(_WORDS[type(node)], [node.generators[0].iter, over, options], node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def _options(self, node: Any, consumer: str | None) -> Any:
        found: dict[str, object] = {}
        if any(generator.ifs for generator in node.generators):
            found["filtered"] = True
        if len(node.generators) > 1:
            found["nested"] = True
        if consumer is not None:
            found["consumer"] = consumer
        keys = [constant(key, node) for key in found]
        return new(gast.Dict, node, keys=keys, values=[constant(v, node) for v in found.values()])

    def _over(self, node: Any, generators: list[Any]) -> Any:
        """Return `lambda itr, take: [...]` for the first of the generators."""
        parameters = [self._conversion.item_name, self._conversion.take_name]
        body = self._level(node, generators)
        names = [name(each, body) for each in parameters]
        for each in names:
            each.ctx = gast.Param()
        arguments = gast.arguments(names, [], None, [], [], None, [])
        return new(gast.Lambda, body, args=arguments, body=body)

    def _level(self, node: Any, generators: list[Any]) -> Any:
        """Return the comprehension of the first `for` clause, with those of the others inside."""
        first, *rest = generators
        taken = name(self._conversion.take_name, node)
        tests = [thunk(test) for test in first.ifs]
        if not rest:
            call = _called(taken, [thunk(_element(node)), *tests], node)
        else:
            each = new(gast.Attribute, node, value=taken, attr="each", ctx=gast.Load())
            inside = [thunk(rest[0].iter), self._over(node, rest)]
            call = _called(each, [*inside, *tests], node)
        items = name(self._conversion.item_name, first.iter)
        generator = new(gast.comprehension, None, target=first.target, iter=items, ifs=[])
        generator.is_async = 0
        kind = gast.GeneratorExp if isinstance(node, gast.GeneratorExp) else gast.ListComp
        return new(kind, node, elt=call, generators=[generator])


def _element(node: Any) -> Any:
    if not isinstance(node, gast.DictComp):
        return node.elt
    return new(gast.Tuple, node.key, elts=[node.key, node.value], ctx=gast.Load())


def _called(function: Any, arguments: list[Any], origin: Any) -> Any:
    return new(gast.Call, origin, func=function, args=arguments, keywords=[])
