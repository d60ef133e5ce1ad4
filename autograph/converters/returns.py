"""`return` becomes a flag and a value, and one return at the end of the function.

    if a:                         do_return = False
        return x                  retval_ = ag__.UndefinedReturnValue()
    else:                         if a:
        return 0           ->         do_return = True; retval_ = x
                                  else:
                                      do_return = True; retval_ = 0
                                  return fscope.ret(retval_, do_return)

The flag is set before the value is computed, and is reset if that raises.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import block_fields, holders
from autograph.analysis.jumps import JumpFacts
from autograph.converters.base import Conversion, Converter, Tree, functions_in, scope_of
from autograph.converters.breaks import Breaks
from autograph.converters.continues import Continues
from autograph.converters.early_exits import EarlyExits
from autograph.converters.functions import Functions
from autograph.converters.jump_flags import FLAG_KINDS, JumpLowering
from autograph.converters.node_builders import VOCABULARY, constant, name, new
from autograph.syntax.template import Template

_START = Template(f"""
    $flag = False
    $value = {VOCABULARY}.UndefinedReturnValue()
""")
_RETURN = Template("""
    try:
        $flag = True
        $variable = $value
    except:
        $flag = False
        raise
""")


class Returns(Converter):
    """Functions return once, at their end, through their scope.

    Before and after: see the top of this file. A real return, as in an asynchronous generator,
    stays in its place: `return fscope.ret(x, True)`.
    """

    after = {
        Functions: "a function returns through its scope",
        EarlyExits: "statements after a jump must be in the other branch before they are guarded",
        Breaks: "the `else` of a loop must be a separate statement that a return can skip",
        Continues: "a jump in a `finally` cancels a pending return",
    }
    needs = ("exits",)
    handles = (gast.Return,)
    makes = FLAG_KINDS

    def __init__(self) -> None:
        self._has_flags = False

    def made(self) -> tuple[type, ...]:
        """Return no kinds if no return needed a flag, so that later converters need not run."""
        return self.makes if self._has_flags else ()

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        for function in functions_in(tree):
            scope = scope_of(function)
            if scope is not None:
                returns = _Returns(function, scope, facts.of(function).exits, conversion)
                returns.apply()
                self._has_flags |= returns.has_flags
        return tree


def _assigned(jump: Any, flag: str, value: str) -> list[gast.stmt]:
    result = jump.value or constant(None, jump)
    return _RETURN.statements(origin=jump, flag=flag, variable=value, value=result)


class _Returns:
    def __init__(self, function: Any, scope: Any, exits: JumpFacts, conversion: Conversion) -> None:
        self._function = function
        self._scope = scope
        self._exits = exits
        self._conversion = conversion
        self.has_flags = False

    def apply(self) -> None:
        body = self._scope.body
        if self._exits.leaves(body[:-1], gast.Return):
            self._scope.body = body = self._lowered(body)
        elif self._exits.leaves(body[-1:], gast.Return):
            lower = self._lowered_last if isinstance(body[-1], gast.Return) else self._lowered
            self._scope.body = body = lower(body)
        self._through_scope(body)

    def _lowered(self, body: list[gast.stmt]) -> list[gast.stmt]:
        flag, value = self._names()
        lowering = JumpLowering(
            gast.Return,
            lambda: flag,
            lambda jump, last: _assigned(jump, flag, value),
            self._exits,
            self._conversion,
            (value,),
        )
        return self._between(lowering.block(body, last=True), flag, value)

    def _lowered_last(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """Lower a function whose only return is its last statement, so that it skips nothing."""
        flag, value = self._names()
        return self._between([*body[:-1], *_assigned(body[-1], flag, value)], flag, value)

    def _names(self) -> tuple[str, str]:
        self.has_flags = True
        flag = self._conversion.fresh_flag("do_return", "return")
        return flag, self._conversion.namer.fresh("retval_")

    def _between(self, body: list[gast.stmt], flag: str, value: str) -> list[gast.stmt]:
        """Return a body between the initial values of flag and value, and the one return."""
        origin = self._function
        start = _START.statements(origin=origin, flag=flag, value=value)
        return [*start, *body, self._ret(name(value, origin), name(flag, origin), origin)]

    def _through_scope(self, statements: list[gast.stmt]) -> None:
        """Make the real returns go through the scope."""
        for statement in statements:
            if isinstance(statement, gast.Return) and not self._is_done(statement):
                value = statement.value or constant(None, statement)
                done = self._ret(value, constant(True, statement), statement)
                statement.value = done.value
            for holder in holders(statement):
                for field in block_fields(holder):
                    self._through_scope(getattr(holder, field))

    def _is_done(self, statement: gast.Return) -> bool:
        call = statement.value
        if call is None:
            return self._exits.keeps_returns
        function = call.func if isinstance(call, gast.Call) else None
        return (
            isinstance(function, gast.Attribute)
            and isinstance(function.value, gast.Name)
            and function.value.id in self._conversion.scopes
        )

    def _ret(self, value: Any, did_return: Any, origin: Any) -> gast.Return:
        scope = name(self._scope.items[0].optional_vars.id, origin)
        function = new(gast.Attribute, origin, value=scope, attr="ret", ctx=gast.Load())
        call = new(gast.Call, origin, func=function, args=[value, did_return], keywords=[])
        return new(gast.Return, origin, value=call)
