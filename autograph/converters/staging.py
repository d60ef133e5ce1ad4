"""The code that stands for an `if`, `while` or `for`: functions, and the call that takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ..analysis.grammar import is_word
from ..syntax.qualname import QN
from ..syntax.template import Template
from .base import Conversion
from .bindings import Bindings
from .state import State, States
from .words import constant, name, new, nonempty, thunk, undefined, word

_STATE = Template("""
    def $get_state():
        return $values

    def $set_state($parameter):
        nonlocal $nonlocals
        global $globals
        $targets = $parameter
""")
_NO_STATE = Template("""
    def $get_state():
        return ()

    def $set_state($parameter):
        pass
""")
_BODY = Template("""
    def $function():
        nonlocal $nonlocals
        global $globals
        $body
""")
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

Fresh = Callable[[str], str]
Block = Callable[[list[gast.stmt], Bindings], list[gast.stmt]]


class Staging:
    """Makes calls of statements.

    Args:
        conversion: gives out the names.
        states: finds the state of a statement.
        block: converts the statements of a body.
    """

    def __init__(self, conversion: Conversion, states: States, block: Block) -> None:
        self._conversion = conversion
        self._states = states
        self._block = block

    def statement(self, node: Any, here: Bindings) -> list[gast.stmt]:
        """Return the statements that stand for an `if`, `while` or `for`."""
        kind = _If if isinstance(node, gast.If) else _While if _is_while(node) else _For
        staged = kind(node, self._states.of(node), self._conversion, self._states)
        return staged.statements(here, self._block)


def _is_while(node: Any) -> bool:
    return isinstance(node, gast.While)


class _Staged:
    """One statement on its way to a call; names are taken in the order they are printed."""

    def __init__(self, node: Any, state: State, conversion: Conversion, states: States) -> None:
        self._node = node
        self._state = state
        self._conversion = conversion
        self._states = states
        self._get = conversion.namer.fresh("get_state")
        self._set = conversion.namer.fresh("set_state")
        self._take_names(conversion.namer.fresh)
        self._declared = states.declared

    def _take_names(self, fresh: Fresh) -> None:
        """Name the functions made of the bodies."""

    def statements(self, here: Bindings, block: Block) -> list[gast.stmt]:
        """Return all that stands for the statement; `here` is what is bound before and after."""
        seeds = self._seeds(here)
        return [*self._state_functions(), *self.functions(here, block), *seeds, self.call()]

    def functions(self, here: Bindings, block: Block) -> list[gast.stmt]:
        """Return the definitions of the functions made of the bodies."""
        raise TypeError("a kind of statement says which functions it has")

    def call(self) -> gast.stmt:
        """Return the call."""
        raise TypeError("a kind of statement says which word it becomes")

    def _seeds(self, here: Bindings) -> list[gast.stmt]:
        """Return what gives the variables the bodies share with `here` something to hold."""
        read = self._states.read_unbound(self._node)
        shared = dict.fromkeys((*self._state.names, *read))
        open_names = [n for n in shared if n not in self._declared and not here.is_bound(n)]
        unbound = [name for name in open_names if here.is_unbound(name)]
        here.bind(unbound)
        filled = self._states.fill(open_names, self._node, here)
        return [*(undefined(name, self._node) for name in unbound), *filled]

    def _inside(self, here: Bindings) -> Bindings:
        """Return what is bound where a body begins, in a function of its own."""
        inside = here.in_function(self._state.names)
        inside.unbind(self._state.locals)
        if isinstance(self._node, (gast.For, gast.While)):
            # The iteration before may have ended with a handler that unbinds its name.
            inside.doubt(self._states.unbound_by_handlers.intersection(self._state.names))
        return inside

    def _body(self, function: str, body: list[gast.stmt], inside: Bindings) -> list[gast.stmt]:
        seeds = [undefined(name, self._node) for name in inside.wanted]
        return _BODY.statements(
            origin=self._node,
            function=function,
            body=nonempty([*seeds, *body], self._node),
            **self._declarations(self._state.names),
        )

    def _state_functions(self) -> list[gast.stmt]:
        state, node = self._state, self._node
        parameter = self._conversion.values_name
        if not state.symbols:
            return _NO_STATE.statements(
                origin=node, get_state=self._get, set_state=self._set, parameter=parameter
            )
        return _STATE.statements(
            origin=node,
            get_state=self._get,
            set_state=self._set,
            parameter=parameter,
            values=self._values(),
            targets=self._targets(),
            **self._declarations(state.names),
        )

    def _values(self) -> Any:
        outputs = [self._value(name) for name in self._state.outputs]
        composites = [self._composite_value(qn) for qn in self._state.composites]
        inputs = [self._value(name) for name in self._state.inputs]
        elements = [*outputs, *composites, *inputs]
        return new(gast.Tuple, self._node, elts=elements, ctx=gast.Load())

    def _value(self, variable: str) -> Any:
        """Return a variable read for the state; others than local ones may have no value."""
        node = self._node
        read = name(variable, node)
        if variable in self._declared or variable in self._states.unbound_by_handlers:
            return word("ldu", [thunk(read), constant(variable, node)], node)
        return read

    def _composite_value(self, qn: QN) -> Any:
        node = self._node
        return word("ldu", [thunk(self._place(qn, gast.Load())), constant(str(qn), node)], node)

    def _targets(self) -> Any:
        node, state = self._node, self._state
        outputs = [name(n, node, store=True) for n in state.outputs]
        composites = [self._place(qn, gast.Store()) for qn in state.composites]
        inputs = [name(n, node, store=True) for n in state.inputs]
        return new(gast.Tuple, node, elts=[*outputs, *composites, *inputs], ctx=gast.Store())

    def _place(self, qn: QN, ctx: Any) -> Any:
        """Return a composite as code, its root read like any variable."""
        node = self._node
        place = top = qn.ast(ctx)
        while not isinstance(top.value, gast.Name):
            top = top.value
        top.value = word("ld", [name(qn.name, node)], node)
        return place

    def _declarations(self, names: tuple[str, ...]) -> dict[str, Any]:
        is_global = self._states.globals
        return {
            "nonlocals": [n for n in names if n not in is_global],
            "globals": [n for n in names if n in is_global],
        }

    def _common(self) -> dict[str, Any]:
        symbols = [constant(symbol, self._node) for symbol in self._state.symbols]
        return {
            "get": self._get,
            "set": self._set,
            "symbols": new(gast.Tuple, self._node, elts=symbols, ctx=gast.Load()),
        }


class _If(_Staged):
    def _take_names(self, fresh: Fresh) -> None:
        self._main, self._else = fresh("if_body"), fresh("else_body")

    def functions(self, here: Bindings, block: Block) -> list[gast.stmt]:
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


class _Loop(_Staged):
    """What `while` and `for` have in common: flags that stop them, and options."""

    def _flags_test(self, last: list[Any]) -> Any:
        """Return the test that no flag is set, and what `last` holds besides."""
        node = self._node
        tests = [word("not_", [flag], node) for flag in getattr(node, "until", ())]
        if not tests or not last:
            tests += last
            return tests[0] if len(tests) == 1 else word("and_", [thunk(t) for t in tests], node)
        return word("and_", [*map(thunk, tests), *_operands(last[0])], node)

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
        """Return which symbols are flags, for those who can make a jump of a flag."""
        node, exits = self._node, self._conversion.exits
        flags = [symbol for symbol in self._state.symbols if symbol in exits]
        if not flags:
            return []
        keys = [constant(flag, node) for flag in flags]
        values = [constant(exits[flag], node) for flag in flags]
        return [("exits", new(gast.Dict, node, keys=keys, values=values))]


def _operands(test: Any) -> list[Any]:
    """Return a test as operands of `ag__.and_`: its own, if it is one."""
    if isinstance(test, gast.Call) and is_word(test.func, "and_"):
        return list(test.args)
    return [thunk(test)]


class _While(_Loop):
    def _take_names(self, fresh: Fresh) -> None:
        self._main, self._proceed = fresh("loop_body"), fresh("loop_test")

    def functions(self, here: Bindings, block: Block) -> list[gast.stmt]:
        inside = self._inside(here)
        main = self._body(self._main, block(self._node.body, inside), inside)
        binds = self._states.binds_of(self._node)
        return [*main, *self._test(self._proceed, self._whole_test(binds), binds)]

    def _whole_test(self, binds: tuple[str, ...]) -> Any:
        node = self._node
        flags = getattr(node, "until", [])
        if not flags or not binds:
            return self._flags_test([node.test])
        # A test that binds names cannot be put into a lambda.
        no_flag = self._flags_test([])
        return new(gast.BoolOp, node, op=gast.And(), values=[no_flag, node.test])

    def call(self) -> gast.stmt:
        (call,) = _WHILE.statements(
            origin=self._node,
            test=self._proceed,
            body=self._main,
            options=self._options(),
            **self._common(),
        )
        return call


class _For(_Loop):
    def _take_names(self, fresh: Fresh) -> None:
        self._main = fresh("loop_body")
        self._proceed = fresh("extra_test") if getattr(self._node, "until", ()) else None

    def functions(self, here: Bindings, block: Block) -> list[gast.stmt]:
        node = self._node
        inside = self._inside(here)
        inside.bind(self._states.binds_of(node.target))
        body = block(node.body, inside)
        seeds = [undefined(name, node) for name in inside.wanted]
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
