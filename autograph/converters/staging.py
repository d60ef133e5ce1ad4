"""Generates the functions and the operator call that replace a statement.

The generators for `match`, `try` and `with` are in modules of their own.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.grammar import ForUntil, TryAlways, WhileUntil, is_operator
from autograph.converters.base import Conversion
from autograph.converters.definite_assignment import DefiniteAssignment
from autograph.converters.matches import MatchStatement
from autograph.converters.node_builders import (
    constant,
    new,
    nonempty,
    operator_call,
    thunk,
    undefined,
)
from autograph.converters.staged_statement import Block, Fresh, StagedStatement
from autograph.converters.statement_state import StatementStates
from autograph.converters.tries import TryStatement
from autograph.converters.walruses import with_marked_walruses
from autograph.converters.withs import WithStatement
from autograph.syntax.template import Template

_LOOP_BODY = Template("""
    def $function($item):
        nonlocal $nonlocals
        global $globals
        $seeds
        $target = $item
        $body
""")
_TEST = Template("""
    def $function():
        nonlocal $nonlocals
        global $globals
        return $test
""")
_IF = Template("ag__.if_stmt($test, $body, $orelse, $get, $set, $symbols, $nouts)")
_WHILE = Template("ag__.while_stmt($test, $body, $get, $set, $symbols, $options)")
_FOR = Template("ag__.for_stmt($iterated, $test, $body, $get, $set, $symbols, $options)")


class Staging:
    """Converts statements to calls.

    Args:
        conversion: the state of the conversion, which makes names.
        states: finds the state of a statement.
        block: converts the statements of a body.
    """

    def __init__(self, conversion: Conversion, states: StatementStates, block: Block) -> None:
        self._conversion = conversion
        self._states = states
        self._block = block

    def statement(self, node: Any, here: DefiniteAssignment) -> list[gast.stmt]:
        """Return the statements in place of an `if`, `while`, `for`, ..."""
        staged = _KINDS[type(node)](node, self._states.of(node), self._conversion, self._states)
        return staged.statements(here, self._block)


class _If(StagedStatement):
    def _take_names(self, fresh: Fresh) -> None:
        self._main, self._else = fresh("if_body"), fresh("else_body")

    def functions(self, here: DefiniteAssignment, block: Block) -> list[gast.stmt]:
        branches = [self._inside(here), self._inside(here)]
        main = self._body(self._main, block(self._node.body, branches[0]), branches[0])
        orelse = self._body(self._else, block(self._node.orelse, branches[1]), branches[1])
        return [*main, *orelse]

    def call(self) -> gast.stmt:
        (call,) = _IF.statements(
            origin=self._node,
            test=self._node.test,
            body=self._main,
            orelse=self._else,
            nouts=gast.Constant(self._state.nouts, None),
            **self._common(),
        )
        return call


class _LoopStatement(StagedStatement):
    """The shared parts of `while` and `for`: the flags that stop them, and the options."""

    def _flags_test(self, last: list[Any]) -> Any:
        """Return the test that no flag is set, combined with the tests in `last`."""
        node = self._node
        tests = [operator_call("not_", [flag], node) for flag in getattr(node, "until", ())]
        if not tests or not last:
            tests += last
            return (
                tests[0]
                if len(tests) == 1
                else operator_call("and_", [thunk(t) for t in tests], node)
            )
        return operator_call("and_", [*map(thunk, tests), *_operands(last[0])], node)

    def _test(self, function: str, test: Any, binds: tuple[str, ...]) -> list[gast.stmt]:
        shared = tuple(name for name in self._state.names if name in binds)
        return _TEST.statements(
            origin=self._node, function=function, test=test, **self._declarations(shared)
        )

    def _options(self, *entries: tuple[str, Any]) -> gast.Dict:
        node = self._node
        given = [(option.arg, option.value) for option in getattr(node, "options", ())]
        pairs = [*entries, *given, *self._exits()]
        keys = [constant(key, node) for key, _ in pairs]
        return new(gast.Dict, node, keys=keys, values=[value for _, value in pairs])

    def _exits(self) -> list[tuple[str, Any]]:
        """Return the option with the flags in the state, and the jump of each."""
        node, exits = self._node, self._conversion.exits
        flags = [symbol for symbol in self._state.symbols if symbol in exits]
        if not flags:
            return []
        keys = [constant(flag, node) for flag in flags]
        values = [constant(exits[flag], node) for flag in flags]
        return [("exits", new(gast.Dict, node, keys=keys, values=values))]


def _operands(test: Any) -> list[Any]:
    """Return a test as operands of `ag__.and_`; those of a test that is an `ag__.and_`."""
    if isinstance(test, gast.Call) and is_operator(test.func, "and_"):
        return list(test.args)
    return [thunk(test)]


class _While(_LoopStatement):
    def _take_names(self, fresh: Fresh) -> None:
        self._main, self._proceed = fresh("loop_body"), fresh("loop_test")

    def functions(self, here: DefiniteAssignment, block: Block) -> list[gast.stmt]:
        inside = self._inside(here)
        main = self._body(self._main, block(self._node.body, inside), inside)
        binds = self._states.binds_of(self._node)
        return [*main, *self._test(self._proceed, self._whole_test(), binds)]

    def _whole_test(self) -> Any:
        if getattr(self._node, "until", []):
            self._node.test = with_marked_walruses(self._node.test)
        return self._flags_test([self._node.test])

    def call(self) -> gast.stmt:
        (call,) = _WHILE.statements(
            origin=self._node,
            test=self._proceed,
            body=self._main,
            options=self._options(),
            **self._common(),
        )
        return call


class _For(_LoopStatement):
    def _take_names(self, fresh: Fresh) -> None:
        self._main = fresh("loop_body")
        self._proceed = fresh("extra_test") if getattr(self._node, "until", ()) else None

    def functions(self, here: DefiniteAssignment, block: Block) -> list[gast.stmt]:
        node = self._node
        inside = self._inside(here)
        inside.bind(self._states.binds_of(node.target))
        body = block(node.body, inside)
        seeds = [undefined(name, node) for name in inside.marks]
        main = _LOOP_BODY.statements(
            origin=node,
            function=self._main,
            item=self._conversion.item_name,
            target=node.target,
            seeds=seeds,
            body=nonempty(body, node),
            **self._declarations(self._state.names),
        )
        if self._proceed is None:
            return main
        return [*main, *self._test(self._proceed, self._flags_test([]), ())]

    def call(self) -> gast.stmt:
        node = self._node
        target = constant(self._conversion.text_of(node.target), node)
        (call,) = _FOR.statements(
            origin=node,
            iterated=node.iter,
            test=self._proceed or constant(None, node),
            body=self._main,
            options=self._options(("iterate_names", target)),
            **self._common(),
        )
        return call


_KINDS: dict[type, type[StagedStatement]] = {
    gast.If: _If,
    gast.While: _While,
    WhileUntil: _While,
    gast.For: _For,
    ForUntil: _For,
    gast.Match: MatchStatement,
    gast.Try: TryStatement,
    TryAlways: TryStatement,
    gast.With: WithStatement,
}
