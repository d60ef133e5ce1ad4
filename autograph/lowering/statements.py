"""Statements take Python's own road for Python's values.

    def get_state(): ...                     value_ = x > 0
    def set_state(vars_): ...                if is_python(value_):
    def if_body():                               if value_:
        nonlocal y                                   y = 1
        y = 1                                    else:
    def else_body():                ->               y = 2
        nonlocal y                           else:
        y = 2                                    def get_state(): ...
    ag__.if_stmt(x > 0, if_body,                 (and so on, as on the left)
        else_body, get_state, ...)               ag__.if_stmt(value_, if_body, ...)

On that road there are no functions but the user's: a frame is one call, and recursion gets as deep
as Python's. A loop whose test turns into a tensor hands over from the iteration it has got to.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, ClassVar, cast

from autograph.lowering.checks import Temporaries, is_python, was_python
from autograph.lowering.expressions import TEST, VALUE, Expressions, Need, with_fields
from autograph.lowering.words import is_thunk, put, read, say, word_of

# How many times the size of a function may be written out once more, on the other road.
_MOST_COPIES = 6
_BLOCKS = ("body", "orelse", "finalbody")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

Statements = list[ast.stmt]


def with_python_roads(function: Any) -> Any:
    """Return the converted function with two roads through its statements."""
    names = Temporaries(_names_in(function))
    if isinstance(function, ast.Lambda):
        return with_fields(function, {"body": Expressions(names).rewritten(function.body)})
    walk = _Walk(names, _MOST_COPIES * _size(function.body))
    return with_fields(function, {"body": walk.block(function.body)})


def _names_in(function: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(function):
        for field in ("id", "name", "arg", "asname", "rest"):
            value = getattr(node, field, None)
            if type(value) is str:
                found.add(value)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
    return found


def _size(statements: list[Any]) -> int:
    return sum(1 for statement in statements for _ in ast.walk(statement))


class _Walk:
    """The walk over the statements of one function."""

    def __init__(self, names: Temporaries, budget: int) -> None:
        self._names = names
        self._budget = budget
        self._expressions = Expressions(names)

    def block(self, statements: Statements) -> Statements:
        """Return statements with two roads through each that has been staged."""
        parts = _parts_of(statements)
        result: Statements = []
        for statement in statements:
            if id(statement) in parts.belonging:
                continue
            staged = parts.by_call.get(id(statement))
            if staged is None:
                result.append(self._plain(statement))
            else:
                result += self._staged(statement, staged)
        return result

    def _staged(self, statement: Any, parts: list[Any]) -> Statements:
        """Return both roads, or the staged one alone where code would grow without end."""
        size = _size([*parts, statement])
        if size > self._budget:
            return [*parts, self._expressions.rewritten(statement)]
        self._budget -= size
        return self._kinds[statement.value.func.attr](self, statement.value, parts)

    def _plain(self, node: Any) -> Any:
        """Return a statement that has not been staged, with those inside it on two roads."""
        if isinstance(node, _FUNCTIONS):
            return with_fields(node, {"body": self.block(node.body)})
        if isinstance(node, ast.ClassDef):
            return with_fields(node, {"body": [self._in_class(each) for each in node.body]})
        changed: dict[str, Any] = {}
        for field in node._fields:
            value = getattr(node, field, None)
            if field in _BLOCKS and isinstance(value, list):
                changed[field] = self.block(value)
            elif field in ("handlers", "cases"):
                changed[field] = [self._plain(each) for each in value or ()]
            elif isinstance(value, ast.AST) and field != "pattern":
                need = TEST if field in ("test", "guard") else VALUE
                changed[field] = self._expressions.rewritten(value, need)
            elif isinstance(value, list) and field not in ("names", "targets"):
                changed[field] = [self._part(each) for each in value]
        return with_fields(node, changed) if changed else node

    def _part(self, value: Any) -> Any:
        return self._expressions.rewritten(value) if isinstance(value, ast.AST) else value

    def _in_class(self, node: Any) -> Any:
        """Leave a class body alone, where every name would be an attribute, but not its methods."""
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            return self._plain(node)
        return node

    def _if(self, call: ast.Call, parts: list[Any]) -> Statements:
        test, body, orelse, *rest = call.args
        name = self._names.fresh("value_")
        assignment = self._assigned(name, test, call, TEST)
        branches = [self._inlined(parts, function) for function in (body, orelse)]
        python = put(ast.If(read(name, call), _nonempty(branches[0], call), branches[1]), call)
        staged = self._word("if_stmt", [read(name, test), body, orelse, *rest], call)
        return [assignment, _roads(name, [python], [*parts, staged], test)]

    def _while(self, call: ast.Call, parts: list[Any]) -> Statements:
        test, body, *rest = call.args
        name = self._names.fresh("value_")
        value = _last(_definition(parts, test)).value
        told = is_python(name, self._expressions.rewritten(value, TEST), value)
        proceed = put(ast.BoolOp(ast.And(), [told, read(name, value)]), value)
        turn = _nonempty(self._inlined(parts, body), call)
        loop = put(ast.While(proceed, turn, []), call)
        staged = self._word("while_rest", [read(name, value), test, body, *rest], call)
        nothing = [put(ast.Pass(), value)]
        return [loop, _roads(name, nothing, [*parts, staged], value)]

    def _for(self, call: ast.Call, parts: list[Any]) -> Statements:
        iterated, test, body, *rest = call.args
        items = self._names.fresh("items_")
        assignment = self._assigned(items, iterated, iterated)
        target, turn = self._turn(parts, body)
        if isinstance(test, ast.Name):
            given = [read(items, call), test, body, *rest]
            turn += self._going_on(_last(_definition(parts, test)).value, given, parts, call)
        started = self._assigned(items, say("iter", [read(items, iterated)], iterated), iterated)
        loop = put(ast.For(target, read(items, iterated), _nonempty(turn, call), [], None), call)
        # A generator that is left is closed at once, as nobody else holds it.
        ended = self._assigned(items, put(ast.Constant(None), call), call)
        staged = self._word("for_stmt", [read(items, iterated), test, body, *rest], call)
        python = say("python", [read(items, iterated)], iterated)
        roads = put(ast.If(python, [started, loop, ended], [*parts, staged]), iterated)
        return [assignment, roads]

    def _assert(self, call: ast.Call, parts: list[Any]) -> Statements:
        test, message = cast("list[Any]", call.args)
        name = self._names.fresh("value_")
        assignment = self._assigned(name, test, test, TEST)
        text = self._expressions.rewritten(message.body) if is_thunk(message) else None
        python = put(ast.Assert(read(name, test), text), call)
        staged = self._word("assert_stmt", [read(name, test), message], call)
        return [assignment, _roads(name, [python], [staged], call)]

    def _turn(self, parts: list[Any], body: ast.expr) -> tuple[ast.expr, Statements]:
        """Return what the items of a loop are assigned to, and what is done for each."""
        statements = _undeclared(_definition(parts, body).body)
        at = next(i for i, each in enumerate(statements) if _takes_item(each, parts, body))
        assignment = statements[at]
        assert isinstance(assignment, ast.Assign)
        rest = [*statements[:at], *statements[at + 1 :]]
        return assignment.targets[0], self.block(rest)

    def _going_on(
        self, test: ast.expr, given: list[ast.expr], parts: list[Any], call: ast.Call
    ) -> Statements:
        """Return what leaves a loop, or hands it over, after an item."""
        name = self._names.fresh("value_")
        leave = put(ast.If(_not(name, test), [put(ast.Break(), test)], []), test)
        staged = self._word("for_rest", [read(name, test), *given], call)
        handed_over = [*parts, staged, put(ast.Break(), test)]
        roads = _roads(name, [leave], handed_over, test)
        return [self._assigned(name, test, test, TEST), roads]

    def _inlined(self, parts: list[Any], function: ast.expr) -> Statements:
        return self.block(_undeclared(_definition(parts, function).body))

    def _assigned(self, name: str, value: ast.expr, origin: Any, need: Need = VALUE) -> ast.stmt:
        target = put(ast.Name(name, ast.Store()), origin)
        made = ast.Assign([target], self._expressions.rewritten(value, need))
        return put(made, origin)

    def _word(self, word: str, arguments: list[ast.expr], call: ast.Call) -> ast.stmt:
        return put(ast.Expr(say(word, arguments, call)), call)

    _kinds: ClassVar[dict[str, Callable[[_Walk, ast.Call, list[Any]], Statements]]] = {
        "if_stmt": _if,
        "while_stmt": _while,
        "for_stmt": _for,
        "assert_stmt": _assert,
    }


class _Parts:
    """The functions in a list of statements that belong to staged statements in it."""

    def __init__(self) -> None:
        self.by_call: dict[int, list[Any]] = {}
        self.belonging: set[int] = set()


def _parts_of(statements: Statements) -> _Parts:
    found = _Parts()
    definitions: dict[str, Any] = {}
    for statement in statements:
        if isinstance(statement, ast.FunctionDef):
            definitions[statement.name] = statement
        elif isinstance(statement, ast.Expr) and word_of(statement.value) in _Walk._kinds:
            assert isinstance(statement.value, ast.Call)
            # The first argument is the user's, but for the test of a `while`.
            start = statement.value.func.attr != "while_stmt"  # type: ignore[attr-defined]
            names = [a.id for a in statement.value.args[start:] if isinstance(a, ast.Name)]
            parts = [definitions[name] for name in _in_order(names, definitions)]
            found.by_call[id(statement)] = parts
            found.belonging.update(map(id, parts))
    return found


def _in_order(names: list[str], definitions: dict[str, Any]) -> list[str]:
    return [name for name in definitions if name in names]


def _definition(parts: list[Any], name: Any) -> Any:
    return next(part for part in parts if part.name == name.id)


def _last(definition: Any) -> Any:
    return definition.body[-1]


def _undeclared(body: Statements) -> Statements:
    return [each for each in body if not isinstance(each, (ast.Global, ast.Nonlocal))]


def _takes_item(statement: ast.stmt, parts: list[Any], body: ast.expr) -> bool:
    parameter = _definition(parts, body).args.args[0].arg
    return (
        isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.Name)
        and statement.value.id == parameter
    )


def _roads(name: str, python: Statements, staged: Statements, origin: Any) -> ast.stmt:
    return put(ast.If(was_python(name, origin), python, staged), origin)


def _not(name: str, origin: Any) -> ast.expr:
    return put(ast.UnaryOp(ast.Not(), read(name, origin)), origin)


def _nonempty(statements: Statements, origin: Any) -> Statements:
    return statements or [put(ast.Pass(), origin)]
