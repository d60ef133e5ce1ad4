"""`match` becomes a call; patterns become values, guards and bodies functions.

match x:                      def case_test(captures_): nonlocal y; (y,) = captures_; return y > 0
    case [0, y] if y > 0:     def case_body(): nonlocal z; z = y
        z = y           ->    def case_body_1(): nonlocal z; z = 0
    case _:                   ag__.match_stmt(x, (ag__.case(ag__.match_sequence(...), case_test,
        z = 0                     case_body), ag__.case(ag__.match_any(), None, case_body_1)), ...)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autograph.converters.definite_assignment import DefiniteAssignment
from autograph.converters.node_builders import (
    constant,
    name,
    new,
    nonempty,
    operator_call,
    thunk,
    undefined,
)
from autograph.converters.staged_statement import Block, Fresh, StagedStatement
from autograph.syntax.template import Template
from autograph.syntax.tree import copy_tree


def captures_of(pattern: Any) -> tuple[str, ...]:
    """Return the names that a pattern binds, in alphabetical order.

    >>> from autograph.syntax.tree import parse
    >>> match = parse("match x:\\n case [a, *b] | {'k': a, **b}: pass").body[0]
    >>> captures_of(match.cases[0].pattern)
    ('a', 'b')
    """
    return tuple(sorted(set(_captures(pattern))))


def _captures(pattern: Any) -> list[str]:
    kind = type(pattern)
    if kind is gast.MatchStar:
        return [pattern.name] if pattern.name else []
    if kind is gast.MatchAs:
        inside = [] if pattern.pattern is None else _captures(pattern.pattern)
        return [*inside, pattern.name] if pattern.name else inside
    parts = [*getattr(pattern, "patterns", ()), *getattr(pattern, "kwd_patterns", ())]
    found = [each for part in parts for each in _captures(part)]
    rest = getattr(pattern, "rest", None)
    return [*found, rest] if rest else found


def pattern_word(pattern: Any) -> Any:
    """Return the expression that makes a pattern; the match evaluates the values in it."""
    return _WORDS[type(pattern)](pattern)


def _value(node: Any) -> Any:
    return operator_call("match_value", [_later(node.value)], node)


def _singleton(node: Any) -> Any:
    return operator_call("match_is", [constant(node.value, node)], node)


def _as(node: Any) -> Any:
    if node.name is None:
        return operator_call("match_any", [], node)
    pattern = constant(None, node) if node.pattern is None else pattern_word(node.pattern)
    return operator_call("match_as", [pattern, constant(node.name, node)], node)


def _star(node: Any) -> Any:
    return operator_call("match_star", [constant(node.name, node)], node)


def _or(node: Any) -> Any:
    return operator_call("match_or", [pattern_word(each) for each in node.patterns], node)


def _sequence(node: Any) -> Any:
    return operator_call("match_sequence", [pattern_word(each) for each in node.patterns], node)


def _mapping(node: Any) -> Any:
    keys = _tuple([_later(key) for key in node.keys], node)
    patterns = _tuple([pattern_word(each) for each in node.patterns], node)
    return operator_call("match_mapping", [keys, patterns, constant(node.rest, node)], node)


def _class(node: Any) -> Any:
    positional = _tuple([pattern_word(each) for each in node.patterns], node)
    names = _tuple([constant(each, node) for each in node.kwd_attrs], node)
    by_name = _tuple([pattern_word(each) for each in node.kwd_patterns], node)
    return operator_call("match_class", [_later(node.cls), positional, names, by_name], node)


def _later(expression: Any) -> Any:
    """Return a thunk of a value or class in a pattern, which reads its variable by `ld`."""
    return thunk(_read(copy_tree(expression)))


def _read(node: Any) -> Any:
    if isinstance(node, gast.Name):
        return operator_call("ld", [name(node.id, node)], node)
    if isinstance(node, gast.Attribute):
        node.value = _read(node.value)
    return node


def _tuple(elements: list[Any], origin: Any) -> Any:
    return new(gast.Tuple, origin, elts=elements, ctx=gast.Load())


_WORDS: dict[type, Callable[[Any], Any]] = {
    gast.MatchValue: _value,
    gast.MatchSingleton: _singleton,
    gast.MatchAs: _as,
    gast.MatchStar: _star,
    gast.MatchOr: _or,
    gast.MatchSequence: _sequence,
    gast.MatchMapping: _mapping,
    gast.MatchClass: _class,
}


# -- the statement ---------------------------------------------------------------------------------


_TEST = Template("""
    def $function():
        nonlocal $nonlocals
        global $globals
        return $test
""")
_CAPTURING_TEST = Template("""
    def $function($parameter):
        nonlocal $nonlocals
        global $globals
        $targets = $parameter
        return $test
""")
_CAPTURING_BODY = Template("""
    def $function($parameter):
        nonlocal $nonlocals
        global $globals
        $seeds
        $targets = $parameter
        $body
""")
_MATCH = Template("ag__.match_stmt($subject, $cases, $get, $set, $symbols, $nouts)")


class MatchStatement(StagedStatement):
    """The conversion of a `match` to a call."""

    def _take_names(self, fresh: Fresh) -> None:
        cases = self._node.cases
        self._guards = [fresh("case_test") if case.guard is not None else None for case in cases]
        self._bodies = [fresh("case_body") for _ in cases]

    def functions(self, here: DefiniteAssignment, block: Block) -> list[gast.stmt]:
        found: list[gast.stmt] = []
        for case, guard, body in zip(self._node.cases, self._guards, self._bodies):
            inside = self._inside(here)
            inside.bind(self._states.binds_of(case))
            statements = block(case.body, inside)
            if guard is not None:
                found += [*self._test(case, guard), *self._body(body, statements, inside)]
            elif captures_of(case.pattern):
                found += self._capturing(case, body, statements, inside)
            else:
                found += self._body(body, statements, inside)
        return found

    def _test(self, case: Any, function: str) -> list[gast.stmt]:
        """Return the function of a guard; it takes the captures, if there are any."""
        template = _CAPTURING_TEST if captures_of(case.pattern) else _TEST
        binds = self._states.binds_of(case)
        names = tuple(each for each in self._state.names if each in binds)
        return template.statements(
            origin=case.guard,
            function=function,
            test=case.guard,
            **self._taken(case.pattern),
            **self._declarations(names),
        )

    def _capturing(
        self, case: Any, function: str, statements: list[gast.stmt], inside: DefiniteAssignment
    ) -> list[gast.stmt]:
        """Return the function of a body that takes the captures."""
        return _CAPTURING_BODY.statements(
            origin=self._node,
            function=function,
            seeds=[undefined(each, self._node) for each in inside.marks],
            body=nonempty(statements, self._node),
            **self._taken(case.pattern),
            **self._declarations(self._state.names),
        )

    def _taken(self, pattern: Any) -> dict[str, Any]:
        captures = captures_of(pattern)
        if not captures:
            return {}
        targets = [name(each, pattern, store=True) for each in captures]
        return {
            "targets": new(gast.Tuple, pattern, elts=targets, ctx=gast.Store()),
            "parameter": self._conversion.captures_name,
        }

    def call(self) -> gast.stmt:
        node = self._node
        cases = [self._case(*each) for each in zip(node.cases, self._guards, self._bodies)]
        (call,) = _MATCH.statements(
            origin=node,
            subject=node.subject,
            cases=new(gast.Tuple, node, elts=cases, ctx=gast.Load()),
            nouts=gast.Constant(self._state.nouts, None),
            **self._common(),
        )
        return call

    def _case(self, case: Any, guard: str | None, body: str) -> Any:
        test = constant(None, case.pattern) if guard is None else name(guard, case.pattern)
        pattern = pattern_word(case.pattern)
        return operator_call("case", [pattern, test, name(body, case.pattern)], case.pattern)
