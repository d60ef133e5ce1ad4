"""Python branches for statements: Python's own statements, for Python values, beside the operators.

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

The Python branch calls no functions of statement bodies: a frame is a call of a user's function,
and recursion gets as deep as in Python. If the test of a loop becomes a tensor, the operator
continues the loop from that iteration.
"""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Callable
from typing import Any, ClassVar, cast

from autograph.lowering.calls import each_unpacked
from autograph.lowering.conditions import (
    Temporaries,
    failure_position,
    is_python_iterable,
    is_python_variable,
    read_and_clear,
    test_position,
    truth_test_position,
)
from autograph.lowering.expressions import TEST, VALUE, Context, Expressions, with_fields
from autograph.lowering.item_assignment import is_item_update, item_update
from autograph.lowering.jumps import Jumps
from autograph.lowering.operator_calls import (
    StatementFunctions,
    drop_line,
    drop_lines,
    find_staged,
    invoke,
    is_thunk,
    operator_of,
    put,
    read,
)
from autograph.lowering.synthetic_code import off_its_line
from autograph.lowering.try_statements import python_try, python_with
from autograph.lowering.unbound_variables import UnboundMarks
from autograph.lowering.user_function import UserFunction
from autograph.lowering.user_function import bound_by_statements as bound_in
from autograph.syntax.tree import CHILD_FIELDS, nodes
from runtime.core.fork_safety import cached_property

# The largest size of all statements that are written out in a second branch, as a multiple of the
# function's size. So many statements need not be measured: none is larger than the function.
_MOST_COPIES = 16
_BLOCKS = ("body", "orelse", "finalbody")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Delete)
# Nodes whose value may be an object. A temporary must not keep it alive longer than Python does.
_OBJECTS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)

# Whether Python shows the error for a value that is not iterable at the whole statement.
_ITERATES_BY_STATEMENT = sys.version_info < (3, 13)
# Whether it shows an error of a context manager at the `with`; since 3.13 at the manager.
_MANAGES_BY_STATEMENT = sys.version_info < (3, 13)

_TESTING = (ast.If, ast.While)

Statements = list[ast.stmt]


def with_python_branches(
    function: Any, original: UserFunction, names: frozenset[str], has_both_versions: bool
) -> Any:
    """Return the converted function with a Python branch beside each staged statement.

    Args:
        function: the converted function.
        original: the user's function.
        names: the names in use.
        has_both_versions: whether the code will also have the eager version.
    """
    temporaries = Temporaries(names)
    if isinstance(function, ast.Lambda):
        return with_fields(function, {"body": Expressions(temporaries).rewritten(function.body)})
    return _SharedState(temporaries, original, has_both_versions).main(function)


def _size(statements: list[Any]) -> int:
    return sum(1 for statement in statements for _ in nodes(statement))


class _SharedState:
    """The state shared by all functions inside one converted function."""

    def __init__(self, names: Temporaries, original: UserFunction, has_both_versions: bool) -> None:
        self.names = names
        self._written: Statements = []
        self._copied: list[Statements] = []
        self.jumps = Jumps(original)
        self.matches = original.matches
        self._original = original
        self._has_both_versions = has_both_versions

    def main(self, node: Any) -> Any:
        """Return the outermost function with two branches for each staged statement."""
        self._written = node.body
        own = self._original.bound if self._has_both_versions else frozenset()
        body, _ = self._body(node, own)
        return with_fields(node, {"body": _nonempty(body, node)})

    @cached_property
    def _budget(self) -> int:
        return _MOST_COPIES * _size(self._written) - sum(map(_size, self._copied))

    def may_copy(self, statements: Statements) -> bool:
        """Return whether statements may be written out a second time; count them if so."""
        if len(self._copied) < _MOST_COPIES:
            self._copied.append(statements)
            return True
        size = _size(statements)
        if size > self._budget:
            return False
        self._budget -= size
        return True

    def function(self, node: Any) -> Any:
        """Return an inner function with two branches for each staged statement."""
        original = self._original.functions.get((node.lineno, node.col_offset))
        body, marks = self._body(node, frozenset() if original is None else bound_in(original))
        # Only the outermost function has the user's own statements, which make variables local.
        body = [*marks.declarations(node), *body]
        return with_fields(node, {"body": _nonempty(body, node)})

    def _body(self, node: Any, own: frozenset[str]) -> tuple[Statements, UnboundMarks]:
        marks = UnboundMarks(node, own, self._original.deletions)
        return off_its_line(node, _StatementLowering(self, marks).block(node.body)), marks


class _StatementLowering:
    """Lowers the statements of one function."""

    def __init__(self, branches: _SharedState, marks: UnboundMarks) -> None:
        self._branches = branches
        self._names = branches.names
        self._marks = marks
        self._expressions = Expressions(branches.names)

    def block(self, statements: Statements) -> Statements:
        """Return statements with two branches for each staged one."""
        staged = find_staged(statements)
        result: Statements = []
        for statement in statements:
            if id(statement) in staged.functions:
                continue
            with self._names.reused_after_statement():
                result += self._rewritten(statement, staged.by_call.get(id(statement)))
        return result

    def _rewritten(self, statement: Any, parts: StatementFunctions | None) -> Statements:
        if parts is not None:
            return self._staged(statement, parts)
        if is_item_update(statement):
            count = self._names.count()
            marks = self._marks.marks_for_updates(statement)
            dispatch = item_update(statement, self._names, self._expressions.rewritten)
            dispatch.orelse[:0] = marks
            return [dispatch, drop_lines(self._clearing(self._names.since(count), statement))]
        marks = self._marks.marks_for_updates(statement)
        python_form = self._marks.python_form(statement)
        made = (each for old in python_form for each in self._branches.jumps.made(old))
        return [*marks, *(new for each in made for new in self._left_empty(each))]

    def _left_empty(self, node: Any) -> Statements:
        """Return a statement, and one that clears the temporaries of its values."""
        count = self._names.count()
        plain = self._plain(node)
        names = self._names.since(count) if isinstance(node, _SIMPLE) else []
        return [plain, drop_lines(self._clearing(names, node))] if names else [plain]

    def _staged(self, statement: Any, parts: StatementFunctions) -> Statements:
        """Return both branches; only the staged one if the code would grow too much."""
        if not self._branches.may_copy([*parts, statement]):
            marks = self._marks.marks_for(parts, statement)
            return [*marks, *parts, self._expressions.rewritten(statement)]
        return self._kinds[statement.value.func.attr](self, statement.value, parts)

    def _plain(self, node: Any) -> Any:
        """Return a statement that is not staged itself, with two branches for those inside it."""
        if isinstance(node, _FUNCTIONS):
            return self._branches.function(node)
        if isinstance(node, ast.ClassDef):
            return with_fields(node, {"body": [self._in_class(each) for each in node.body]})
        changed: dict[str, Any] = {}
        values = node.__dict__
        for field in CHILD_FIELDS[type(node)]:
            value = values.get(field)
            if value.__class__ is list:
                if field in _BLOCKS:
                    block = self.block(value)
                    changed[field] = _nonempty(block, node) if value else block
                elif field in ("handlers", "cases"):
                    changed[field] = [self._plain(each) for each in value]
                elif field != "names":
                    changed[field] = [self._part(each) for each in value]
            elif isinstance(value, ast.AST) and field != "pattern":
                context = TEST if field in ("test", "guard") else VALUE
                changed[field] = self._expressions.rewritten(value, context)
                if field == "test" and isinstance(node, _TESTING) and _may_be_object(value):
                    # Python sees items in a staged list, which may be empty.
                    changed[field] = invoke("truth", [changed[field]], value)
        return with_fields(node, changed) if changed else node

    def _part(self, value: Any) -> Any:
        return self._expressions.rewritten(value) if isinstance(value, ast.AST) else value

    def _in_class(self, node: Any) -> Any:
        """Leave a class body unchanged, except its methods: every name would be an attribute."""
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            return self._plain(node)
        return node

    def _staged_branch(self, parts: StatementFunctions, staged: ast.stmt) -> Statements:
        return [*self._marks.marks_for(parts, staged), *parts, staged]

    def _if(self, call: ast.Call, parts: StatementFunctions) -> Statements:
        test, body, orelse, *rest = call.args
        count = self._names.count()
        name = self._names.fresh("value_")
        assignment = self._assigned(name, test, call, TEST)
        held = self._object_temporaries(count, test)
        branches = [self.block(parts.inside(function)) for function in (body, orelse)]
        branches = [[] if _is_synthetic(branch, call) else branch for branch in branches]
        if held:
            branches = [[self._clearing(held, test), *branch] for branch in branches]
        python = put(ast.If(read(name, test), _nonempty(branches[0], call), branches[1]), call)
        staged = self._operator_statement("if_stmt", [read(name, test), body, orelse, *rest], call)
        place = truth_test_position(test, call)
        dispatch = _dispatch(name, [python], self._staged_branch(parts, staged), test, place)
        if self._branches.jumps.is_about_flags(test):
            for each in (assignment, dispatch.test, python.test):
                drop_lines(each)
            drop_line(python), drop_line(dispatch)
        return [assignment, dispatch]

    def _while(self, call: ast.Call, parts: StatementFunctions) -> Statements:
        test, body, *rest = call.args
        count = self._names.count()
        name = self._names.fresh("value_")
        value = parts.result_of(test)
        if isinstance(value, ast.Constant) and value.value is True:
            # An exception alone ends the loop: the operator stages it if a run may raise one.
            staged = self._operator_statement("while_stmt", [test, body, *rest], call)
            return self._staged_branch(parts, staged)
        assignment = self._assigned(name, value, value, TEST)
        held = self._object_temporaries(count, value)
        clearing = [drop_lines(self._clearing(held, value))] if held else []
        leave = put(ast.If(_negated(name, value), [put(ast.Break(), value)], []), call)
        staged = self._operator_statement(
            "while_rest", [read(name, value), test, body, *rest], call
        )
        staged_branch = [*self._staged_branch(parts, staged), put(ast.Break(), value)]
        iteration = [
            assignment,
            _dispatch(name, [leave], staged_branch, value, truth_test_position(value, call)),
            *clearing,
            *self.block(parts.inside(body)),
        ]
        # The `while True` has no line; the test has the line of the user's `while`.
        loop = drop_line(ast.While(drop_line(ast.Constant(True)), iteration, []))
        return [loop, *copy.deepcopy(clearing)]

    def _object_temporaries(self, count: int, test: Any) -> list[str]:
        """Return the temporaries of a test that may hold the user's objects."""
        names = self._names.since(count)
        if self._branches.jumps.is_about_flags(test):
            return []
        return names if len(names) > 1 or _may_be_object(test) else []

    def _for(self, call: ast.Call, parts: StatementFunctions) -> Statements:
        iterated, test, body, *rest = call.args
        name = self._names.fresh("items_")
        assignment = self._assigned(name, iterated, iterated)
        target, statements = parts.target_and_rest(body)
        # Made first: the loop holds it while the inner statements run.
        items = self._names.fresh("items_") if isinstance(test, ast.Name) else ""
        iteration = self.block(statements)
        before: Statements = []
        after: Statements = []
        source = read_and_clear(name, iterated)
        if isinstance(test, ast.Name):
            given = [read(items, call), test, body, *rest]
            iteration += self._going_on(parts.result_of(test), given, parts, call)
            source = invoke("iter", [source], call if _ITERATES_BY_STATEMENT else iterated)
            before = [put(ast.Assign([_stored(items, iterated)], source), iterated)]
            source = read(items, iterated)
            after = [drop_lines(self._clearing([items], iterated))]
        source = each_unpacked(target, source)
        loop = put(ast.For(target, source, _nonempty(iteration, call), [], None), call)
        place = call if _ITERATES_BY_STATEMENT else iterated
        staged = self._operator_statement(
            "for_stmt", [read(name, iterated), test, body, *rest], place
        )
        python = is_python_iterable(name, place)
        dispatch = ast.If(python, [*before, loop, *after], self._staged_branch(parts, staged))
        return [assignment, put(dispatch, iterated)]

    def _match(self, call: ast.Call, parts: StatementFunctions) -> Statements:
        """Return both branches; the Python branch has the user's own `match` with its patterns."""
        subject, cases, *rest = cast("list[Any]", call.args)
        original = self._branches.matches[call.lineno, call.col_offset]
        name = self._names.fresh("value_")
        assignment = self._assigned(name, subject, subject)
        pairs = zip(original.cases, cases.elts, strict=True)
        own = [
            self._case(case, operator.args[1], operator.args[2], parts) for case, operator in pairs
        ]
        python = put(ast.Match(read_and_clear(name, subject), own), call)
        staged = self._operator_statement("match_stmt", [read(name, subject), cases, *rest], call)
        staged_branch = [*self._staged_branch(parts, staged), self._clearing([name], call)]
        drop_lines(staged_branch[-1])
        test = drop_lines(invoke("staging", [read(name, subject)], subject))
        return [assignment, drop_line(ast.If(test, staged_branch, [python]))]

    def _case(
        self, original: Any, guard: Any, body: Any, parts: StatementFunctions
    ) -> ast.match_case:
        test = None
        if isinstance(guard, ast.Name):
            test = self._expressions.rewritten(parts.result_of(guard), TEST)
        statements = self.block(parts.inside(body))
        if isinstance(guard, ast.Constant) and parts.named(body).args.args:
            statements = self.block(parts.target_and_rest(body)[1])
        return ast.match_case(original.pattern, test, _nonempty(statements, original.pattern))

    def _try(self, call: ast.Call, parts: StatementFunctions) -> Statements:
        operator = operator_of(call) or ""
        make = python_try if operator == "try_stmt" else python_with
        python: ast.stmt = make(call, parts, self.block, self._expressions.rewritten)
        place = call if operator == "try_stmt" or _MANAGES_BY_STATEMENT else call.args[0]
        staged_branch = self._staged_branch(
            parts, self._operator_statement(operator, call.args, place)
        )
        return [drop_line(ast.If(drop_lines(invoke("staging", [], call)), staged_branch, [python]))]

    def _assert(self, call: ast.Call, parts: StatementFunctions) -> Statements:
        test, message = cast("list[Any]", call.args)
        count = self._names.count()
        name = self._names.fresh("value_")
        assignment = self._assigned(name, test, test, TEST)
        text = self._expressions.rewritten(message.body) if is_thunk(message) else None
        test_value = read(name, test_position(test))
        python = put(ast.Assert(test_value, text), failure_position(test, call))
        staged = self._operator_statement("assert_stmt", [read(name, test), message], call)
        dispatch = _dispatch(name, [python], [staged], call, truth_test_position(test, call))
        held = self._object_temporaries(count, test)
        return [assignment, dispatch, *([drop_lines(self._clearing(held, call))] if held else [])]

    def _going_on(
        self, test: ast.expr, given: list[ast.expr], parts: StatementFunctions, call: ast.Call
    ) -> Statements:
        """Return the statements that leave a `for` loop after an item, or let an operator go on."""
        name = self._names.fresh("value_")
        leave = drop_lines(put(ast.If(_negated(name, test), [put(ast.Break(), test)], []), test))
        staged = self._operator_statement("for_rest", [read(name, test), *given], call)
        staged_branch = [*self._staged_branch(parts, staged), put(ast.Break(), test)]
        dispatch = _dispatch(name, [leave], staged_branch, test)
        drop_lines(dispatch.test)
        assignment = drop_lines(self._assigned(name, copy.deepcopy(test), test, TEST))
        return [assignment, drop_line(dispatch)]

    def _assigned(
        self, name: str, value: ast.expr, origin: Any, context: Context = VALUE
    ) -> ast.stmt:
        made = ast.Assign([_stored(name, origin)], self._expressions.rewritten(value, context))
        return put(made, origin)

    def _clearing(self, names: list[str], origin: Any) -> ast.stmt:
        nothing = put(ast.Constant(None), origin)
        return put(ast.Assign([_stored(name, origin) for name in names], nothing), origin)

    def _operator_statement(
        self, operator: str, arguments: list[ast.expr], call: ast.expr
    ) -> ast.stmt:
        return put(ast.Expr(invoke(operator, arguments, call)), call)

    _kinds: ClassVar[
        dict[str, Callable[[_StatementLowering, ast.Call, StatementFunctions], Statements]]
    ] = {
        "if_stmt": _if,
        "while_stmt": _while,
        "for_stmt": _for,
        "assert_stmt": _assert,
        "match_stmt": _match,
        "try_stmt": _try,
        "with_stmt": _try,
    }


def _is_synthetic(branch: Statements, call: ast.Call) -> bool:
    """Return whether a branch is a synthetic `pass`."""
    only = branch[0] if len(branch) == 1 else None
    return isinstance(only, ast.Pass) and only.lineno == call.lineno


def _may_be_object(test: Any) -> bool:
    """Return whether a test may be a user's object, and not only a bool."""
    inside = test.args[0] if operator_of(test) in ("ld", "operand", "load_operand") else test
    return isinstance(inside, _OBJECTS) and operator_of(inside) is None


def _stored(name: str, origin: Any) -> ast.Name:
    return put(ast.Name(name, ast.Store()), origin)


def _dispatch(
    name: str, python: Statements, staged: Statements, origin: Any, tested_at: Any = None
) -> ast.If:
    return put(ast.If(is_python_variable(name, origin, tested_at), python, staged), origin)


def _negated(name: str, origin: Any) -> ast.expr:
    return put(ast.UnaryOp(ast.Not(), read(name, origin)), origin)


def _nonempty(statements: Statements, origin: Any) -> Statements:
    return statements or [put(ast.Pass(), origin)]
