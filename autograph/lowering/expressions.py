"""Python branches for expressions: `and`, `or`, `not`, conditionals, comparisons, comprehensions.

    ag__.and_(lambda: a, lambda: b)
        ->   (b if t else t) if is_python(t := a) else ag__.and_rest(t, lambda: b)

The operator of the staged branch stages the value and the operands after it. Nothing is evaluated
twice: `b` is written twice, but in two branches.

A walrus binds its variable through a cell in the staged branch, and needs a mark there:

    ag__.bound(lambda: y, x + 1)    ->    (y := x + 1)                      in the Python branch
    ag__.and_rest(t, lambda: ...)   ->    (y := ag__.ldu(lambda: y, 'y'), ag__.and_rest(...))[1]

The Python branch of a comprehension is the user's own:

    ag__.list_comp(xs, lambda itr, take: [take(lambda: f(v), lambda: c(v)) for v in itr], {})
        ->   [f(v) for v in xs if c(v)]

A conditional expression that is a statement becomes an `if`, whose value is not discarded:

    a if t else b    ->    if t: a
                           else: b

The compiler of Python 3.13 miscounts its stack if the discarded value is on no line.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NamedTuple, cast

from autograph.lowering.conditions import (
    Temporaries,
    choice,
    is_python,
    read_and_clear,
    truth_test_position,
)
from autograph.lowering.operator_calls import (
    RELATIONS,
    drop_lines,
    invoke,
    is_thunk,
    operator_of,
    put,
    read,
)
from autograph.lowering.tree_visitors import StatementTransformer, with_children, with_fields
from autograph.lowering.unbound_variables import value_or_mark, with_reads_in_thunks
from autograph.syntax.tree import CHILD_FIELDS, nodes

# Each operand is written once more for each operand before it.
_MOST_OPERANDS = 6
_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "==": ast.Eq,
    "!=": ast.NotEq,
    "is": ast.Is,
    "is not": ast.IsNot,
    "in": ast.In,
    "not in": ast.NotIn,
}
_IDENTITY = {"is": "same", "is not": "differ"}
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Context(NamedTuple):
    """The use of an expression: of its value, or of its truth alone.

    Python tests the truth of an object once in `if a or b`; a value of `a or b` would be tested
    again.

    Attributes:
        when_true: whether the value is used if it is true.
        when_false: whether the value is used if it is false.
    """

    when_true: bool = True
    when_false: bool = True


VALUE, TEST = Context(), Context(False, False)

# From Python 3.12 on, the value of `a or b` is tested again in `x = (a or b) and c`; in a test, as
# `if (a or b) and c`, no version tests it again.
_TESTS_ONCE = sys.version_info < (3, 12)
_CONTINUES_FROM_OPERANDS = sys.version_info >= (3, 12)


class Expressions:
    """Rewrites the expressions of one function; nodes are replaced, never changed.

    Args:
        names: makes the names of temporaries.
    """

    def __init__(self, names: Temporaries) -> None:
        self._names = names
        self._depth = 0
        # In a lambda, a walrus would bind a variable of the lambda.
        self._in_lambda = False

    def rewritten(self, node: Any, context: Context = VALUE) -> Any:
        """Return an expression with two branches for each operator in it."""
        kind = type(node)
        if not CHILD_FIELDS[kind]:
            return node
        if kind is ast.Call:
            operator = operator_of(node)
            if operator in self._by_operator and self._depth < _MOST_OPERANDS:
                return self._in_two_branches(operator, node, context)
            if is_comprehension_call(node):
                return self._made(node)
            if operator == "bound" and not self._in_lambda:
                return walrus_of(node, self.rewritten(node.args[1]))
        if kind in _COMPREHENSIONS:
            return self._comprehension(node)
        if kind in self._by_class:
            return self._by_class[kind](self, node, context)
        return self._undivided(node)

    def _undivided(self, node: Any) -> Any:
        """Return an operator call, or another expression, without branches of its own."""
        return with_reads_in_thunks(self._parts(node))

    def _in_two_branches(self, operator: str, node: ast.Call, context: Context) -> Any:
        self._depth += 1
        try:
            return self._by_operator[operator](self, node, context)
        finally:
            self._depth -= 1

    def _parts(self, node: Any) -> Any:
        """Return a node with its parts rewritten; the node itself if nothing changes."""
        return with_children(node, self.rewritten)

    def _made(self, node: ast.Call) -> Any:
        """Return the user's own comprehension, and the operator call for when a graph is recorded.

        No temporary can store the iterable for a check: Python allows no walrus there.
        """
        staging = drop_lines(invoke("staging", [], node))
        own = self._comprehension(python_comprehension(node))
        return choice(staging, self._marked_staged(node), own, node)

    def _marked_staged(self, staged: ast.Call) -> Any:
        """Return an operator call of the staged branch, with marks for unbound variables."""
        staged = cast(ast.Call, with_reads_in_thunks(staged))
        return staged if self._in_lambda else with_marks(staged)

    def _comprehension(self, node: Any) -> Any:
        """Return a comprehension that stays Python; its iterables get no temporaries.

        Python allows no walrus in the iterable of a comprehension.
        """
        with self._names.lasting_names():
            generators = [
                with_fields(
                    g,
                    {
                        "iter": self._without_new_names(g.iter),
                        "ifs": [self.rewritten(test, TEST) for test in g.ifs],
                    },
                )
                for g in node.generators
            ]
            fields = [field for field in node._fields if field != "generators"]
            changed = {field: self.rewritten(getattr(node, field)) for field in fields}
        return with_fields(node, {**changed, "generators": generators})

    def _without_new_names(self, node: Any) -> Any:
        """Return a node with two branches for its comprehensions, without temporaries."""
        if is_comprehension_call(node):
            staging = drop_lines(invoke("staging", [], node))
            return choice(
                staging,
                with_reads_in_thunks(node),
                self._without_new_names(python_comprehension(node)),
                node,
            )
        return with_reads_in_thunks(with_children(node, self._without_new_names))

    def _lambda(self, node: ast.Lambda, context: Context) -> Any:
        before, self._in_lambda = self._in_lambda, True
        body, arguments = self.rewritten(node.body), self._parts(node.args)
        self._in_lambda = before
        if body is node.body and arguments is node.args:
            return node
        return with_fields(node, {"body": body, "args": arguments})

    def _if_exp_of_python(self, node: ast.IfExp, context: Context) -> Any:
        test = self.rewritten(node.test, TEST)
        then, orelse = self.rewritten(node.body, context), self.rewritten(node.orelse, context)
        if test is node.test and then is node.body and orelse is node.orelse:
            return node
        return choice(test, then, orelse, node)

    def _not_of_python(self, node: ast.UnaryOp, context: Context) -> Any:
        if not isinstance(node.op, ast.Not) or context != TEST:
            return self._parts(node)
        operand = self.rewritten(node.operand, TEST)
        return node if operand is node.operand else with_fields(node, {"operand": operand})

    def _bool_op_of_python(self, node: ast.BoolOp, context: Context) -> Any:
        """Rewrite `a and b` that is no operator call; each operand is evaluated only once."""
        if all(self.rewritten(value) is value for value in node.values):
            return node
        return self._test_in_order(isinstance(node.op, ast.And), node.values, node, context)

    def _test_in_order(
        self, continues_if: bool, operands: list[ast.expr], node: Any, context: Context
    ) -> Any:
        first, *rest = operands
        if not rest:
            return self.rewritten(first, context)
        value, same, name = self._tested_operand(continues_if, first, node, context)
        named = put(ast.NamedExpr(put(ast.Name(name, ast.Store()), node), value), node)
        later = self._test_in_order(continues_if, rest, node, context)
        then, orelse = (later, same) if continues_if else (same, later)
        return choice(named, then, orelse, node)

    def _tested_operand(
        self, continues_if: bool, operand: Any, node: Any, context: Context
    ) -> tuple[Any, ast.expr, str]:
        """Return an operand, the expression for its value if it decides, and its temporary."""
        inside = context
        if _TESTS_ONCE:
            inside = context._replace(**{"when_true" if continues_if else "when_false": False})
        name = self._names.fresh("value_")
        is_kept = context.when_false if continues_if else context.when_true
        same = read(name, node) if is_kept else put(ast.Constant(not continues_if), node)
        return self.rewritten(operand, inside), same, name

    def _not(self, node: ast.Call, context: Context) -> Any:
        name = self._names.fresh("value_")
        inside = VALUE if context.when_true or context.when_false else TEST
        operand = node.args[0]
        test = is_python(name, self.rewritten(operand, inside), operand, node)
        negated = put(ast.UnaryOp(ast.Not(), read(name, node)), node)
        return choice(test, negated, invoke("not_", [read(name, node)], node), operand)

    def _and(self, node: ast.Call, context: Context) -> Any:
        return self._operands("and_rest", _operands_of(node, context), node, context)

    def _or(self, node: ast.Call, context: Context) -> Any:
        return self._operands("or_rest", _operands_of(node, context), node, context)

    def _operands(self, operator: str, operands: list[Any], node: Any, context: Context) -> Any:
        if len(operands) > _MOST_OPERANDS or not all(map(is_thunk, operands)):
            return self._undivided(node)
        first, *rest = operands
        if not rest:
            return self.rewritten(first.body, context)
        continues_if = operator == "and_rest"
        if isinstance(first.body, ast.Constant):
            # The compiler would simplify the test of a constant only in part.
            goes_on = bool(first.body.value) is continues_if
            return self._operands(operator, rest, node, context) if goes_on else first.body
        value, same, name = self._tested_operand(continues_if, first.body, node, context)
        later = self._operands(operator, rest, node, context)
        then, orelse = (later, same) if continues_if else (same, later)
        # If only the truth is used, later Pythons continue from the line of the operand.
        place = first.body if context == TEST and _CONTINUES_FROM_OPERANDS else node
        python = choice(read(name, place), then, orelse, place)
        staged = self._marked_staged(invoke(operator, [read(name, node), *rest], node))
        return choice(
            is_python(name, value, place, place if context == TEST else None), python, staged, place
        )

    def _if_exp(self, node: ast.Call, context: Context) -> Any:
        test, then, orelse, text = cast("list[Any]", node.args)
        if not (is_thunk(then) and is_thunk(orelse)):
            return self._undivided(node)
        if isinstance(test, ast.Constant):
            chosen, other = (self.rewritten(branch.body, context) for branch in (then, orelse))
            return _spanning(choice(test, chosen, other, node), then, orelse)
        name = self._names.fresh("value_")
        first, second = (self.rewritten(branch.body, context) for branch in (then, orelse))
        place = truth_test_position(test, node)
        python = choice(read(name, place), first, second, node)
        staged = self._marked_staged(invoke("if_exp", [read(name, node), then, orelse, text], node))
        operand = self.rewritten(test, TEST)
        return _spanning(
            choice(is_python(name, operand, test, place), python, staged, place), then, orelse
        )

    def _compare(self, node: ast.Call, context: Context) -> Any:
        left, *rest = node.args
        if len(rest) > 2 * _MOST_OPERANDS:
            return self._undivided(node)
        return self._comparison(self.rewritten(left), rest, node, context)

    def _comparison(self, left: ast.expr, rest: list[Any], node: Any, context: Context) -> Any:
        (symbol, operand), later = rest[:2], rest[2:]
        right = self.rewritten(operand.body)
        if not later:
            return self._compared(symbol.value, left, right, node)
        middle, name = self._names.fresh("value_"), self._names.fresh("value_")
        kept = put(ast.NamedExpr(put(ast.Name(middle, ast.Store()), node), right), node)
        first = self._compared(symbol.value, left, kept, node)
        further = self._comparison(read(middle, node), later, node, context)
        same = put(ast.Constant(False), node) if context == TEST else read(name, node)
        python = choice(read(name, node), further, same, node)
        further_on = [read(name, node), read(middle, node), *later]
        staged = self._marked_staged(invoke("compare_rest", further_on, node))
        return choice(is_python(name, first, node), python, staged, node)

    def _compared(self, symbol: str, left: ast.expr, right: Any, node: Any) -> Any:
        """Return one comparison of a chain; an operator call if operands may be containers."""
        if symbol in _IDENTITY:
            return invoke(_IDENTITY[symbol], [left, right], node)
        value = right.value if isinstance(right, ast.NamedExpr) else right
        operator = next((each for each, sign in RELATIONS.items() if sign == symbol), None)
        if operator is None or isinstance(left, ast.Constant) or isinstance(value, ast.Constant):
            return put(ast.Compare(left, [_COMPARISONS[symbol]()], [right]), node)
        return self._relation_of(operator, [left, right], node)

    def _membership(self, node: ast.Call, context: Context) -> Any:
        ast_operator = ast.In() if operator_of(node) == "contains" else ast.NotIn()
        return self._if_plain(
            "is_plain_test",
            operator_of(node) or "",
            list(map(self.rewritten, node.args)),
            lambda a, b: put(ast.Compare(a, [ast_operator], [b]), node),
            node,
        )

    def _relation(self, node: ast.Call, context: Context) -> Any:
        return self._relation_of(
            operator_of(node) or "", list(map(self.rewritten, node.args)), node
        )

    def _relation_of(self, operator: str, operands: list[Any], node: Any) -> Any:
        ast_operator = _COMPARISONS[RELATIONS[operator]]()
        return self._if_plain(
            "is_plain_comparison",
            operator,
            operands,
            lambda a, b: put(ast.Compare(a, [ast_operator], [b]), node),
            node,
        )

    def _item(self, node: ast.Call, context: Context) -> Any:
        return self._if_plain(
            "is_plain_item",
            "get_item",
            list(map(self.rewritten, node.args)),
            lambda a, b: put(ast.Subscript(a, b, ast.Load()), node),
            node,
        )

    def _if_plain(
        self,
        question: str,
        operator: str,
        operands: list[Any],
        python: Callable[[ast.expr, ast.expr], ast.expr],
        node: Any,
    ) -> Any:
        """Return an operation by Python's operator if the operator `question` allows it.

        Otherwise it is a call of `operator`.
        """
        names = [self._names.fresh("value_") for _ in operands]
        named = [
            put(ast.NamedExpr(put(ast.Name(name, ast.Store()), each), each), each)
            for name, each in zip(names, operands)
        ]
        test = invoke(question, named, node)
        left, right = (read_and_clear(name, node) for name in names)
        staged = invoke(operator, [read_and_clear(name, node) for name in names], node)
        return choice(test, python(left, right), staged, node)

    _by_operator: ClassVar[dict[str, Callable[[Expressions, ast.Call, Context], Any]]] = {
        "not_": _not,
        "and_": _and,
        "or_": _or,
        "if_exp": _if_exp,
        "compare": _compare,
        **dict.fromkeys(RELATIONS, _relation),
        "contains": _membership,
        "lacks": _membership,
        "get_item": _item,
    }
    _by_class: ClassVar[dict[type, Callable[[Expressions, Any, Context], Any]]] = {
        ast.Lambda: _lambda,
        ast.BoolOp: _bool_op_of_python,
        ast.IfExp: _if_exp_of_python,
        ast.UnaryOp: _not_of_python,
    }


def _operands_of(node: Any, context: Context) -> list[Any]:
    """Return the operands of an operator; those of a first operand `(a or b) or c` are included."""
    first, *rest = node.args
    inner = first.body if is_thunk(first) else None
    if operator_of(inner) != operator_of(node) or not (_TESTS_ONCE or context == TEST):
        return [first, *rest]
    return [*_operands_of(inner, context), *rest]


def _spanning(chosen: ast.IfExp, then: Any, orelse: Any) -> ast.IfExp:
    """Give a conditional expression the position from its first branch to its second one."""
    chosen.lineno, chosen.col_offset = then.lineno, then.col_offset
    chosen.end_lineno, chosen.end_col_offset = orelse.end_lineno, orelse.end_col_offset
    return chosen


# -- walrus cells ----------------------------------------------------------------------------------


def walrus_of(call: ast.Call, value: Any) -> ast.NamedExpr:
    """Return the walrus for a call of `bound`."""
    variable: Any = call.args[0]
    return _named(variable.body.id, value, call)


def with_marks(staged: ast.Call) -> Any:
    """Return a call preceded by marks for the unbound ones of the variables that it binds."""
    names = dict.fromkeys(_bound_in(staged))
    if not names:
        return staged
    marks = [_named(name, value_or_mark(name, staged), staged) for name in names]
    everything = put(ast.Tuple([*marks, staged], ast.Load()), staged)
    last = put(ast.Constant(len(marks)), staged)
    return put(ast.Subscript(everything, last, ast.Load()), staged)


def _bound_in(node: ast.AST) -> Iterator[str]:
    for each in nodes(node):
        if operator_of(each) == "bound":
            yield each.args[0].body.id


def _named(name: str, value: Any, origin: Any) -> ast.NamedExpr:
    target = put(ast.Name(name, ast.Store()), origin)
    named: ast.NamedExpr = put(ast.NamedExpr(target, value), origin)
    return named


# -- comprehensions --------------------------------------------------------------------------------


_KINDS: dict[str, type[ast.expr]] = {
    "list_comp": ast.ListComp,
    "set_comp": ast.SetComp,
    "dict_comp": ast.DictComp,
    "gen_exp": ast.GeneratorExp,
}


def is_comprehension_call(node: Any) -> bool:
    """Return whether a node is an operator call for a comprehension."""
    return operator_of(node) in _KINDS


def python_comprehension(call: ast.Call) -> ast.expr:
    """Return the user's comprehension for an operator call."""
    iterated, over, _ = call.args
    generators: list[ast.comprehension] = []
    element = _unfolded(iterated, over, generators)
    kind: Any = _KINDS[str(operator_of(call))]
    if kind is ast.DictComp:
        assert isinstance(element, ast.Tuple)
        key, value = element.elts
        return put(ast.DictComp(key, value, generators), call)
    return put(kind(element, generators), call)


def _unfolded(iterated: ast.expr, over: Any, generators: list[ast.comprehension]) -> ast.expr:
    """Append the `for` clauses of a comprehension, outer ones first; return its element."""
    level = over.body
    taking = level.elt
    goes_on = isinstance(taking.func, ast.Attribute)
    tests = [thunk.body for thunk in taking.args[2 if goes_on else 1 :]]
    generators.append(ast.comprehension(level.generators[0].target, iterated, tests, 0))
    if goes_on:
        return _unfolded(taking.args[0].body, taking.args[1], generators)
    element: ast.expr = taking.args[0].body
    return element


# -- expression statements -------------------------------------------------------------------------


_LOSES_COUNT = sys.version_info >= (3, 13)


def with_conditional_statements(function: Any) -> Any:
    """Return the converted function with an `if` for each conditional expression statement."""
    return _ConditionalStatements().visit(function) if _LOSES_COUNT else function


class _ConditionalStatements(StatementTransformer):
    def visit_Expr(self, node: ast.Expr) -> Any:
        value = node.value
        if not isinstance(value, ast.IfExp):
            return node
        then, orelse = (self._statement(each, node) for each in (value.body, value.orelse))
        return put(ast.If(value.test, [then], [orelse]), node)

    def _statement(self, value: ast.expr, origin: ast.Expr) -> Any:
        return self.visit_Expr(put(ast.Expr(value), origin))
