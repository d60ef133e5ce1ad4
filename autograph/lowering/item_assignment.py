"""Item assignments, `x[i] = v` and `x[i] += v`: a list changes, and a tensor is replaced.

A tensor is immutable, so the operator returns a new one, to which the variable is bound.

`x[i] += v` has a Python branch for a list:

x = ag__.update_item(x, i, '+=', lambda: v)
    ->   if ag__.updates_in_place(x, value_ := i):
             x[value_] += v
         else:
             x = ag__.update_item(x, value_, '+=', lambda: v)

A `v` that calls functions, or that a tensor chooses, may leave the items of the list to the graph
after Python has read the list. Then Python's branch looks again:

    item_ = x[value_]
    item_ += v
    if ag__.updates_in_place(x, value_):
        x[value_] = item_
    else:
        x = ag__.set_item(item_, x, value_)

In an attribute or item, a tensor is replaced, too:

    o.x[i] = v    ->    place_ = v
                        place__1 = o
                        place__2 = ag__.operand(place__1.x)
                        place__3 = i
                        if ag__.updates_in_place(place__2, place__3):
                            place__2[place__3] = place_
                        elif (place__4 := ag__.set_item(place_, place__2, ...)) is not place__2:
                            place__1.x = place__4

Nothing is evaluated twice, and all in Python's order. A variable of an outer function, or of the
module, is not rebound: only a list in it can change.

A value that is unpacked into items of attributes or items is assigned item by item:

    o.x[i], o.x[j] = v    ->    item_, item__1 = v
                                o.x[i] = item_
                                o.x[j] = item__1
                                item_ = item__1 = None

The eager version rebinds tensors, too; only in this it differs from the user's own statements:

    x[i] = v    ->    if <x is no list> and ag__.is_rebound(x):
                          x = ag__.set_item(v, x, i)
                      else:
                          x[i] = v

and `x[i] += v` in the same way. So a call outside of a trace does the same as the trace.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, cast

from autograph.lowering.conditions import Temporaries, read_and_clear
from autograph.lowering.constants import Constants
from autograph.lowering.operator_calls import (
    drop_line,
    drop_lines,
    index_value,
    invoke,
    operator_of,
    put,
    read,
)
from autograph.lowering.tree_visitors import Transformer
from autograph.lowering.user_function import UserFunction
from autograph.syntax.tree import BLOCK_FIELDS, nodes, statements_in

OPERATORS: dict[str, type[ast.operator]] = {
    "+=": ast.Add,
    "-=": ast.Sub,
    "*=": ast.Mult,
    "@=": ast.MatMult,
    "/=": ast.Div,
    "//=": ast.FloorDiv,
    "%=": ast.Mod,
    "**=": ast.Pow,
    "<<=": ast.LShift,
    ">>=": ast.RShift,
    "|=": ast.BitOr,
    "^=": ast.BitXor,
    "&=": ast.BitAnd,
}


def is_item_update(statement: Any) -> bool:
    """Return whether a statement is `x = ag__.update_item(...)`."""
    if not isinstance(statement, ast.Assign) or operator_of(statement.value) != "update_item":
        return False
    return isinstance(statement.targets[0], ast.Name)


def update_thunks(statement: Any) -> list[ast.expr]:
    """Return the functions that compute the right sides of item updates in a statement's header."""
    headers = [getattr(statement, field, None) for field in ("value", "test")]
    found: list[Any] = [n for each in headers if isinstance(each, ast.AST) for n in nodes(each)]
    return [node.args[3] for node in found if operator_of(node) == "update_item"]


# Operators that change no container.
_READS = frozenset("ld ldu operand load_operand get_item slice_ not_ eq not_eq".split())


def may_change_containers(value: ast.AST) -> bool:
    """Return whether a list may be another one once a value is computed.

    >>> may_change_containers(ast.parse("ag__.ld(x) + 1")), may_change_containers(ast.parse("f(x)"))
    (False, True)
    """
    return any(type(each) is ast.Call and operator_of(each) not in _READS for each in nodes(value))


def item_update(statement: Any, names: Temporaries, rewritten: Callable[[Any], Any]) -> ast.If:
    """Return an assignment by `ag__.update_item`, with a Python branch if that may be right."""
    call = statement.value
    target, index, symbol, value = cast("list[Any]", call.args)
    (variable,) = statement.targets
    name = names.fresh("value_")
    kept = put(ast.NamedExpr(put(ast.Name(name, ast.Store()), index), rewritten(index)), index)
    test = invoke("updates_in_place", [target, kept], call)
    ast_operator, added = OPERATORS[symbol.value](), rewritten(value.body)
    rebound = put(ast.Name(variable.id, ast.Store()), variable)
    if may_change_containers(value.body):
        update = _ItemUpdate(statement, call, variable.id, name, names.fresh("item_"))
        new = put(ast.Assign([rebound], update.operator_call()), statement)
        python = update.statements(ast_operator, added, [variable.id, name], [new])
    else:
        place = read(variable.id, call), read_and_clear(name, index)
        item = put(ast.Subscript(*place, ast.Store()), call)
        python = [put(ast.AugAssign(item, ast_operator, added), statement)]
    arguments = [read(variable.id, call), read_and_clear(name, index), symbol, rewritten(value)]
    staged = put(ast.Assign([rebound], invoke("update_item", arguments, call)), statement)
    return drop_line(ast.If(test, python, [staged]))


class _ItemUpdate(NamedTuple):
    """Python's `x[i] += v` in steps, of which the last one looks at the container again.

    Attributes:
        statement: the user's statement.
        target: the node with the position of the item.
        base: the name of the container.
        key: the name of the index.
        item: the name of the item.
    """

    statement: Any
    target: Any
    base: str
    key: str
    item: str

    def operator_call(self) -> ast.expr:
        """Return the operator that puts the item into a container of the graph."""
        names = [self.item, self.base, self.key]
        return invoke("set_item", [read(each, self.target) for each in names], self.target)

    def statements(
        self, operator: ast.operator, added: ast.expr, operands: list[str], again: list[ast.stmt]
    ) -> list[ast.stmt]:
        """Return the steps; `again` puts the item by the operator."""
        stored = put(ast.Name(self.item, ast.Store()), self.target)
        test = invoke("updates_in_place", [read(e, self.target) for e in operands], self.target)
        put_back = ast.Assign([self._place(ast.Store())], read(self.item, self.target))
        return [
            put(ast.Assign([stored], self._place(ast.Load())), self.target),
            put(ast.AugAssign(stored, operator, added), self.statement),
            drop_line(ast.If(test, [put(put_back, self.target)], again)),
        ]

    def _place(self, context: ast.expr_context) -> ast.expr:
        parts = read(self.base, self.target), read(self.key, self.target)
        return put(ast.Subscript(*parts, context), self.target)


# -- inner items -----------------------------------------------------------------------------------


SYMBOLS = {operator: symbol for symbol, operator in OPERATORS.items()}
# Expressions that cannot be moved into a lambda.
_STAYING = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)


def with_inner_items(function: Any, used: Callable[[], frozenset[str]]) -> Any:
    """Return the converted function with assignments to inner items in two branches.

    Inner items are those of an attribute, an item, an outer variable or the result of a call. The
    tree is changed in place.

    Args:
        function: the converted function.
        used: returns the names in use.
    """
    if not any(map(_may_assign_items, statements_in(function))):
        return function
    return _NestedTargets(used()).visit(function)


def _may_assign_items(statement: Any) -> bool:
    if isinstance(statement, ast.AugAssign):
        return not isinstance(statement.target, ast.Name)
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    return any(map(_may_hold_items, targets))


def _may_hold_items(target: Any) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return any(map(_may_hold_items, target.elts))
    return not isinstance(target, ast.Name)


class _NestedTargets(Transformer):
    def __init__(self, used: frozenset[str]) -> None:
        self._used = used

    def visit_Assign(self, node: ast.Assign) -> Any:
        if is_unpacked_into_items(node):
            unpacked, before = UnpackedAssignment(node, self._used), self._used
            first, *rest = unpacked.statements()
            # The inner unpacking must not take its names.
            self._used = unpacked.used
            statements = [first, *self._items(rest)]
            self._used = before
            return statements
        return (
            _ReplacementStatements(node, self._used).statements()
            if _is_inside_another(node)
            else node
        )

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Return the branches in place of `o.x[i] += v`."""
        return (
            _ReplacementStatements(node, self._used).statements()
            if _is_inside_another(node)
            else node
        )

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        # In the body of a class, a temporary would be an attribute.
        inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        node.body = [self.visit(each) if isinstance(each, inside) else each for each in node.body]
        return node


class _ReplacementStatements:
    """The statements that replace one assignment."""

    def __init__(self, statement: Any, used: frozenset[str]) -> None:
        self._statement = statement
        self._used = used
        self._names: list[str] = []
        self._steps: list[ast.stmt] = []

    def statements(self) -> list[ast.stmt]:
        """Return the statements; the last one clears the temporaries."""
        statement = self._statement
        target = item_target(statement)
        place = _as_written_place(target.value)
        value = None if isinstance(statement, ast.AugAssign) else self._held(statement.value)
        if isinstance(place, ast.Name):
            return self._statements_for_variable(place, target, value)
        if _is_temporary(place):
            return self._statements_for_value(target, value)
        owner = self._held(place.value)
        key = self._held(place.slice) if isinstance(place, ast.Subscript) else None
        base = self._held(invoke("operand", [self._part(place, owner, key)], place))
        index = self._held(index_value(target.slice))
        item = put(ast.Subscript(read(base, target), read(index, target), ast.Store()), target)
        python, new = self._python_and_new(item, value, base, index)
        operands = [base, index] if key is None else [base, index, owner, key]
        back = partial(self._assignment_back, place, owner, key, base)
        return self._chosen(target, operands, python, new, back)

    def _chosen(
        self,
        target: Any,
        operands: list[str],
        python: ast.stmt,
        new: ast.expr,
        back: Callable[[ast.expr], list[ast.stmt]],
    ) -> list[ast.stmt]:
        """Return all statements: Python's own where it is right, and those with an operator.

        Args:
            target: the item.
            operands: the names of the container, the index, and where the container is.
            python: Python's own statement.
            new: the operator call for the new value of the container.
            back: returns the statements that put a new value back.
        """
        statement = self._statement
        in_python = [put(python, statement)]
        if isinstance(statement, ast.AugAssign) and may_change_containers(statement.value):
            update = _ItemUpdate(statement, target, operands[0], operands[1], self._fresh())
            again = back(update.operator_call())
            in_python = update.statements(statement.op, statement.value, operands, again)
        test = invoke("updates_in_place", [read(each, target) for each in operands], target)
        dispatch = drop_line(ast.If(test, in_python, back(new)))
        return [*self._steps, dispatch, self._clearing()]

    def _statements_for_variable(
        self, place: ast.Name, target: Any, value: str | None
    ) -> list[ast.stmt]:
        """Return the statements for a variable of an outer function or the module."""
        base = self._held(invoke("load_operand", [place], place))
        index = self._held(index_value(target.slice))
        item = put(ast.Subscript(read(base, target), read(index, target), ast.Store()), target)
        python, new = self._python_and_new(item, value, base, index)
        name = put(ast.Constant(place.id), place)

        def back(new: ast.expr) -> list[ast.stmt]:
            call = invoke("same_container", [new, read(base, target), name], target)
            return [put(ast.Expr(call), target)]

        return self._chosen(target, [base, index], python, new, back)

    def _statements_for_value(self, target: Any, value: str | None) -> list[ast.stmt]:
        """Return the statements for an item of a call's result, or of a slice."""
        base, index = self._held(target.value), self._held(index_value(target.slice))
        item = put(ast.Subscript(read(base, target), read(index, target), ast.Store()), target)
        python, new = self._python_and_new(item, value, base, index)
        back: Callable[[ast.expr], list[ast.stmt]] = lambda new: [put(ast.Expr(new), target)]  # noqa: E731
        return self._chosen(target, [base, index], python, new, back)

    def _part(self, place: Any, owner: str, key: str | None) -> ast.expr:
        if key is None:
            return put(ast.Attribute(read(owner, place.value), place.attr, ast.Load()), place)
        return invoke("get_item", [read(owner, place.value), read(key, place.slice)], place)

    def _assignment_back(
        self, place: Any, owner: str, key: str | None, base: str, new: ast.expr
    ) -> list[ast.stmt]:
        """Return the assignment of the new value to the place, if it is another object."""
        statement = self._statement
        if key is not None:
            where = [read(owner, place.value), read(key, place.slice)]
            return [put(ast.Expr(invoke("put_item", [*where, new], place)), statement)]
        name = self._fresh()
        kept = put(ast.NamedExpr(put(ast.Name(name, ast.Store()), place), new), place)
        is_other = ast.Compare(kept, [ast.IsNot()], [read(base, place)])
        target = ast.Attribute(read(owner, place.value), place.attr, ast.Store())
        assigned = put(ast.Assign([put(target, place)], read(name, place)), statement)
        return [put(ast.If(put(is_other, place), [assigned], []), statement)]

    def _python_and_new(
        self, item: Any, value: str | None, base: str, index: str
    ) -> tuple[Any, ast.expr]:
        """Return Python's own assignment, and the operator call for the new value of the place."""
        statement = self._statement
        where = [read(base, item), read(index, item)]
        if value is not None:
            new = invoke("set_item", [read(value, statement.value), *where], item)
            return ast.Assign([item], read(value, statement.value)), new
        symbol = put(ast.Constant(SYMBOLS[type(statement.op)]), item)
        added = put(ast.Lambda(no_parameters(), statement.value), statement.value)
        python = ast.AugAssign(item, statement.op, statement.value)
        return python, invoke("update_item", [*where, symbol, added], statement)

    def _held(self, value: Any) -> str:
        """Assign an expression to a new temporary; return its name."""
        name = self._fresh()
        stored = put(ast.Name(name, ast.Store()), value)
        self._steps.append(put(ast.Assign([stored], value), value))
        return name

    def _fresh(self) -> str:
        count = len(self._names)
        while (name := f"place__{count}" if count else "place_") in {*self._used, *self._names}:
            count += 1
        self._names.append(name)
        return name

    def _clearing(self) -> ast.stmt:
        stored = [put(ast.Name(name, ast.Store()), self._statement) for name in self._names]
        nothing = put(ast.Constant(None), self._statement)
        return drop_lines(put(ast.Assign(stored, nothing), self._statement))


def _is_inside_another(statement: Any) -> bool:
    target = item_target(statement)
    if target is None:
        return False
    place = _as_written_place(target.value)
    return isinstance(place, (ast.Attribute, ast.Name, ast.Subscript)) or _is_temporary(place)


def _is_temporary(place: Any) -> bool:
    """Return whether the container of an item is a call's result, or a slice."""
    if isinstance(place, ast.Subscript):
        return operator_of(place.slice) == "slice_" or isinstance(place.slice, ast.Slice)
    return isinstance(place, ast.Call) and operator_of(place) is None


def item_target(statement: Any) -> Any:
    """Return the subscript that is the only target of an assignment; None for other statements."""
    if isinstance(statement, ast.AugAssign):
        target: Any = statement.target
        if any(isinstance(node, _STAYING) for node in nodes(statement.value)):
            return None
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    else:
        return None
    return target if isinstance(target, ast.Subscript) else None


def _as_written_place(node: Any) -> Any:
    """Return the user's own expression for a call of `operand` or `get_item`."""
    if operator_of(node) in ("operand", "load_operand"):
        return _as_written_place(node.args[0])
    if operator_of(node) == "get_item":
        container, index = node.args
        return put(ast.Subscript(container, index, ast.Load()), node)
    return node


def no_parameters() -> ast.arguments:
    """Return the parameters of `lambda: ...`."""
    return ast.arguments([], [], None, [], [], None, [])


# -- unpacked items --------------------------------------------------------------------------------


_SEVERAL = (ast.Tuple, ast.List)


def is_unpacked_into_items(statement: ast.Assign) -> bool:
    """Return whether a statement unpacks a value into targets, one of them an item."""
    target = statement.targets[0]
    if len(statement.targets) > 1 or not isinstance(target, _SEVERAL):
        return False
    return any(isinstance(each, ast.Subscript) for each in _single(target.elts))


def _single(targets: Iterable[ast.expr]) -> Iterable[ast.expr]:
    """Yield the targets of an unpacking, nested ones included."""
    for each in targets:
        if isinstance(each, _SEVERAL):
            yield from _single(each.elts)
        else:
            yield each.value if isinstance(each, ast.Starred) else each


class UnpackedAssignment:
    """The statements that replace one unpacking of a value into items.

    Args:
        statement: an assignment to a tuple or list of targets.
        used: the names in use before.

    Attributes:
        used: the names in use now.
    """

    def __init__(self, statement: Any, used: frozenset[str]) -> None:
        self._statement = statement
        self.used = used

    def statements(self) -> list[Any]:
        """Return the unpacking, an assignment of each target, and one that clears names."""
        statement, target = self._statement, self._statement.targets[0]
        names = [self._fresh() for _ in target.elts]
        targets = [self._temporary_target(name, each) for name, each in zip(names, target.elts)]
        whole = put(type(target)(targets, ast.Store()), target)
        single = [each.value if isinstance(each, ast.Starred) else each for each in target.elts]
        later = [
            put(ast.Assign([each], read(name, each)), statement)
            for name, each in zip(names, single)
        ]
        last = ast.Assign(
            [put(ast.Name(name, ast.Store()), statement) for name in names],
            put(ast.Constant(None), statement),
        )
        first = put(ast.Assign([whole], statement.value), statement)
        return [first, *later, drop_lines(put(last, statement))]

    def _temporary_target(self, name: str, target: Any) -> Any:
        stored = put(ast.Name(name, ast.Store()), target)
        is_starred = isinstance(target, ast.Starred)
        return put(ast.Starred(stored, ast.Store()), target) if is_starred else stored

    def _fresh(self) -> str:
        count = 0
        while (name := f"item__{count}" if count else "item_") in self.used:
            count += 1
        self.used |= {name}
        return name


# -- item assignment -------------------------------------------------------------------------------


def with_rebound_items(
    original: UserFunction, statements: list[ast.stmt], vocabulary: object, constants: Constants
) -> list[ast.stmt]:
    """Return the user's statements; those that assign items of variables are rewritten copies.

    The check comes before the value is computed, so only variables that are surely bound get one.
    """
    have_items = [any(map(_may_assign_items, statements_in(each))) for each in statements]
    if not any(have_items):
        return [*statements]
    used = frozenset(each.id for each in nodes(original.function) if isinstance(each, ast.Name))
    rewriter = _ItemRebinding(vocabulary, constants, used, original.deleted)
    arguments = nodes(original.function.args)
    rewriter.bind(argument.arg for argument in arguments if isinstance(argument, ast.arg))
    result: list[ast.stmt] = []
    for statement, has_items in zip(statements, have_items):
        result.append(rewriter.visit(copy.deepcopy(statement)) if has_items else statement)
        rewriter.bind(_names_bound(statement))
    return result


def _names_bound(statement: ast.stmt) -> Iterable[str]:
    """Return the variables that a statement binds in any case."""
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    return (name for target in targets for name in _names_stored(target))


def _names_stored(target: ast.expr) -> Iterable[str]:
    names = (each for each in nodes(target) if isinstance(each, ast.Name))
    return [each.id for each in names if isinstance(each.ctx, ast.Store)]


class _ItemRebinding(Transformer):
    def __init__(
        self, vocabulary: object, constants: Constants, used: frozenset[str], deleted: set[str]
    ) -> None:
        self.bound: frozenset[str] = frozenset()
        self._vocabulary = vocabulary
        self._constants = constants
        self._used = used
        self._deleted = deleted

    def bind(self, names: Iterable[str]) -> None:
        """Note variables that are bound from here on."""
        new = frozenset(names) - self.bound - self._deleted
        if new:
            self.bound |= new

    def _statement(self, node: Any) -> Any:
        """Rewrite the blocks of a statement; the names that one binds are bound to its end."""
        before = self.bound
        for field in BLOCK_FIELDS[type(node)]:
            block = getattr(node, field)
            if field == "body" and isinstance(node, (ast.For, ast.AsyncFor)):
                self.bind(_names_stored(node.target))
            for at, each in enumerate(block):
                block[at] = self.visit(each)
                self.bind(_names_bound(each))
            self.bound = before
        return node

    visit_If = visit_For = visit_AsyncFor = visit_While = visit_With = visit_AsyncWith = _statement
    visit_Try = visit_ExceptHandler = visit_match_case = visit_Match = _statement

    def variables_of(self, node: Any) -> list[str]:
        """Return the local variables whose items a statement assigns."""
        target = self.target_of(node)
        if target is not None:
            return [target.value.id]
        if not isinstance(node, ast.Assign) or not is_unpacked_into_items(node):
            return []
        items = (each for each in _single([node.targets[0]]) if isinstance(each, ast.Subscript))
        names = dict.fromkeys(each.value.id for each in items if isinstance(each.value, ast.Name))
        return [name for name in names if name in self.bound]

    def target_of(self, node: Any) -> Any:
        """Return the target `x[i]` of an assignment to an item of a local variable."""
        target = item_target(node)
        if target is None or not isinstance(target.value, ast.Name):
            return None
        return target if target.value.id in self.bound else None

    def _scope(self, node: ast.AST) -> ast.AST:
        """Leave scopes with their own variables unchanged."""
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _scope
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _scope

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        target, variables = self.target_of(node), self.variables_of(node)
        if not variables:
            return node
        if target is None:
            return self._unpacked(node, variables)
        variable = target.value.id
        arguments = [node.value, read(variable, target), self._index(target.slice)]
        return self._both_branches(node, target, self._invoke("set_item", arguments, node))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        target = self.target_of(node)
        if target is None:
            return node
        variable = read(target.value.id, target)
        symbol = put(ast.Constant(SYMBOLS[type(node.op)]), target)
        added = put(ast.Lambda(no_parameters(), node.value), node.value)
        arguments = [variable, self._index(target.slice), symbol, added]
        return self._both_branches(node, target, self._invoke("update_item", arguments, node))

    def _both_branches(self, node: Any, target: Any, new: ast.expr) -> ast.stmt:
        """Return an `if` with the rebinding of an immutable value and Python's own statement."""
        variable = target.value.id
        rebound = put(ast.Name(variable, ast.Store()), target)
        rebinding = put(ast.Assign([rebound], new), node)
        return put(ast.If(self._is_rebound(variable, node), [rebinding], [node]), node)

    def _unpacked(self, node: ast.Assign, variables: list[str]) -> ast.stmt:
        """Return an `if` with the assignments one by one and Python's own statement."""
        unpacked, before = UnpackedAssignment(copy.deepcopy(node), self._used), self._used
        first, *rest = unpacked.statements()
        self._used = unpacked.used
        body = [first, *map(self.visit, rest)]
        self._used = before
        tests = [self._is_rebound(each, node) for each in variables]
        test = tests[0] if len(tests) == 1 else put(ast.BoolOp(ast.Or(), tests), node)
        return put(ast.If(test, body, [node]), node)

    def _is_rebound(self, variable: str, node: Any) -> ast.expr:
        is_other = put(ast.Compare(self._type_of(variable, node), [ast.IsNot()], []), node)
        is_other.comparators.append(self._constants.node(list, node))
        is_ours = self._invoke("is_rebound", [read(variable, node)], node)
        return put(ast.BoolOp(ast.And(), [is_other, is_ours]), node)

    def _type_of(self, variable: str, origin: Any) -> ast.expr:
        return put(
            ast.Call(self._constants.node(type, origin), [read(variable, origin)], []), origin
        )

    def _invoke(self, operator: str, arguments: list[Any], origin: Any) -> ast.expr:
        vocabulary = self._constants.node(self._vocabulary, origin)
        function = put(ast.Attribute(vocabulary, operator, ast.Load()), origin)
        return put(ast.Call(function, arguments, []), origin)

    def _index(self, node: Any) -> Any:
        if isinstance(node, ast.Slice):
            none = put(ast.Constant(None), node)
            return self._invoke(
                "slice_", [b or none for b in (node.lower, node.upper, node.step)], node
            )
        if isinstance(node, ast.Tuple):
            return put(ast.Tuple([self._index(each) for each in node.elts], ast.Load()), node)
        return node
