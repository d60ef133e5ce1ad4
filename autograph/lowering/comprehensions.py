"""Comprehensions that became calls, as Python's own again.

ag__.list_comp(xs, lambda itr, take: [take(lambda: f(v), lambda: c(v)) for v in itr], {})
    ->   [f(v) for v in xs if c(v)]
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.lowering.operator_calls import put, word_of

_KINDS: dict[str, type[ast.expr]] = {
    "list_comp": ast.ListComp,
    "set_comp": ast.SetComp,
    "dict_comp": ast.DictComp,
    "gen_exp": ast.GeneratorExp,
}


def is_comprehension_word(node: Any) -> bool:
    """Tell whether a node is the call that stands for a comprehension."""
    return word_of(node) in _KINDS


def pythons_own(call: ast.Call) -> ast.expr:
    """Return the comprehension that a call stands for."""
    iterated, over, _ = call.args
    generators: list[ast.comprehension] = []
    element = _unfolded(iterated, over, generators)
    kind: Any = _KINDS[str(word_of(call))]
    if kind is ast.DictComp:
        assert isinstance(element, ast.Tuple)
        key, value = element.elts
        return put(ast.DictComp(key, value, generators), call)
    return put(kind(element, generators), call)


def _unfolded(iterated: ast.expr, over: Any, generators: list[ast.comprehension]) -> ast.expr:
    """Add the generators of a level, and of those inside; return the element."""
    level = over.body
    taking = level.elt
    goes_on = isinstance(taking.func, ast.Attribute)
    tests = [thunk.body for thunk in taking.args[2 if goes_on else 1 :]]
    generators.append(ast.comprehension(level.generators[0].target, iterated, tests, 0))
    if goes_on:
        return _unfolded(taking.args[0].body, taking.args[1], generators)
    element: ast.expr = taking.args[0].body
    return element
