"""`match` becomes a call: patterns as values, guards and bodies as functions.

match x:                      def case_test(captures_): nonlocal y; (y,) = captures_; return y > 0
    case [0, y] if y > 0:     def case_body(): nonlocal z; z = y
        z = y           ->    def case_body_1(): nonlocal z; z = 0
    case _:                   ag__.match_stmt(x, (ag__.case(ag__.match_sequence(...), case_test,
        z = 0                     case_body), ag__.case(ag__.match_any(), None, case_body_1)), ...)
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.definite_assignment import Bindings
from autograph.converters.node_builders import constant, name, new, nonempty, undefined, word
from autograph.converters.patterns import captures_of, pattern_word
from autograph.converters.staged_statement import Block, Fresh, StagedStatement
from autograph.syntax.template import Template

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
    """A `match` on its way to a call."""

    def _take_names(self, fresh: Fresh) -> None:
        cases = self._node.cases
        self._guards = [fresh("case_test") if case.guard is not None else None for case in cases]
        self._bodies = [fresh("case_body") for _ in cases]

    def functions(self, here: Bindings, block: Block) -> list[gast.stmt]:
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
        """Return the function of a guard, which takes the captures where there are any."""
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
        self, case: Any, function: str, statements: list[gast.stmt], inside: Bindings
    ) -> list[gast.stmt]:
        """Return the function of a body that takes the captures itself."""
        return _CAPTURING_BODY.statements(
            origin=self._node,
            function=function,
            seeds=[undefined(each, self._node) for each in inside.wanted],
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
        return word("case", [pattern, test, name(body, case.pattern)], case.pattern)
