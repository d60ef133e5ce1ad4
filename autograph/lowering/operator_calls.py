"""Operator calls in converted trees, `ag__.if_stmt(...)`: made, recognized, and taken apart.

A staged statement is such a call after the functions that it takes as arguments:

    def if_body(): ...
    def else_body(): ...
    ag__.if_stmt(test, if_body, else_body, get_state, set_state, ...)
"""

from __future__ import annotations

import ast
from operator import itemgetter
from typing import Any, TypeVar

from autograph.syntax.tree import children

VOCABULARY = "ag__"
# Comparison operators, whose operands may be containers with tensors.
RELATIONS = {
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "equal": "==",
    "unequal": "!=",
}
T = TypeVar("T", bound=ast.AST)


def operator_of(node: Any) -> str | None:
    """Return the name of the operator that a node calls; None for any other node.

    >>> operator_of(ast.parse("ag__.ld(x)").body[0].value)
    'ld'
    """
    if type(node) is not ast.Call:
        return None
    function = node.func
    if type(function) is not ast.Attribute or type(function.value) is not ast.Name:
        return None
    return function.attr if function.value.id == VOCABULARY else None


def invoke(operator: str, arguments: list[ast.expr], origin: Any) -> ast.Call:
    """Return the call `ag__.operator(*arguments)` at the position of `origin`."""
    vocabulary = put(ast.Name(VOCABULARY, ast.Load()), origin)
    function = put_at_start(put(ast.Attribute(vocabulary, operator, ast.Load()), origin))
    return put(ast.Call(function, arguments, []), origin)


def index_value(index: Any) -> Any:
    """Return a subscript's index as an expression, with calls in place of slices."""
    if isinstance(index, ast.Tuple):
        elements = [index_value(each) for each in index.elts]
        return put(ast.Tuple(elements, ast.Load()), index)
    if not isinstance(index, ast.Slice):
        return index
    nothing = put(ast.Constant(None), index)
    return invoke("slice_", [b or nothing for b in (index.lower, index.upper, index.step)], index)


def put(node: Any, origin: Any) -> Any:
    """Give a new node the position of `origin`; return it."""
    node.lineno, node.col_offset = origin.lineno, origin.col_offset
    node.end_lineno, node.end_col_offset = origin.end_lineno, origin.end_col_offset
    return node


def put_at_start(attribute: Any) -> Any:
    """Let a generated attribute end where it starts; return it.

    Python shows the last line of an attribute over several lines.
    """
    if attribute.end_lineno != attribute.lineno:
        attribute.end_lineno, attribute.end_col_offset = attribute.lineno, attribute.col_offset
    return attribute


def read(name: str, origin: Any) -> ast.Name:
    """Return the read of a variable."""
    return put(ast.Name(name, ast.Load()), origin)


def drop_lines(node: T) -> T:
    """Remove the source lines of a node and of all nodes in it; return it.

    So a debugger does not stop at synthetic code, which must not be able to fail. Functions in it
    keep their lines, since code has to begin at some line.
    """
    if not isinstance(node, (ast.Lambda, ast.FunctionDef)):
        if "lineno" in node._attributes:
            drop_line(node)
        for child in children(node):
            drop_lines(child)
    return node


def drop_line(node: Any) -> Any:
    """Remove the source line of a node itself; return it."""
    node.lineno = node.end_lineno = node.col_offset = node.end_col_offset = -1
    return node


def is_thunk(node: Any) -> bool:
    """Return whether a node is `lambda: value`, the form of operators' operands."""
    return type(node) is ast.Lambda and not any(
        (node.args.args, node.args.posonlyargs, node.args.kwonlyargs, node.args.vararg)
    )


# -- staged ----------------------------------------------------------------------------------------


# The operators of statements, each with the position of the first function among its arguments.
_WORDS = {
    "if_stmt": 1,
    "while_stmt": 0,
    "for_stmt": 1,
    "assert_stmt": 2,
    "match_stmt": 1,
    "try_stmt": 0,
    "with_stmt": 1,
}


class StatementFunctions(list[Any]):
    """The functions that one operator call takes, in the order of their definitions."""

    def named(self, name: Any) -> Any:
        """Return the function to which an argument refers."""
        return next(part for part in self if part.name == name.id)

    def inside(self, name: Any) -> list[ast.stmt]:
        """Return the statements of a function without its declarations."""
        return _undeclared(self.named(name).body)

    def result_of(self, name: Any) -> Any:
        """Return the expression that a function returns in its last statement."""
        return self.named(name).body[-1].value

    def target_and_rest(self, name: Any) -> tuple[ast.expr, list[ast.stmt]]:
        """Return the target of a `for`, `as` or `case`, and the body, given their function."""
        statements = self.inside(name)
        parameter = self.named(name).args.args[0].arg
        at = next(i for i, each in enumerate(statements) if _takes(each, parameter))
        assignment = statements[at]
        assert isinstance(assignment, ast.Assign)
        return assignment.targets[0], [*statements[:at], *statements[at + 1 :]]


class StagedStatements:
    """The staged statements in a list of statements.

    Attributes:
        by_call: the functions of each staged statement, by `id` of the statement with the call.
        functions: the `id`s of all these functions.
    """

    def __init__(self) -> None:
        self.by_call: dict[int, StatementFunctions] = {}
        self.functions: set[int] = set()


def find_staged(statements: list[ast.stmt]) -> StagedStatements:
    """Return the staged statements in a list of statements."""
    found = StagedStatements()
    definitions: dict[str, tuple[int, Any]] = {}
    for position, statement in enumerate(statements):
        if isinstance(statement, ast.FunctionDef):
            definitions[statement.name] = (position, statement)
        elif isinstance(statement, ast.Expr) and operator_of(statement.value) in _WORDS:
            parts = StatementFunctions(_functions_given(statement.value, definitions))
            found.by_call[id(statement)] = parts
            found.functions.update(map(id, parts))
    return found


def argument_names(call: Any) -> list[ast.Name]:
    """Return the names of functions among the arguments of an operator, its cases and handlers.

    >>> call = ast.parse("ag__.match_stmt(x, (ag__.case(p, None, body), ), get, put)").body[0].value
    >>> [name.id for name in argument_names(call)]
    ['body', 'get', 'put']
    """
    arguments = call.args[_WORDS[call.func.attr] :]
    tuples = [argument for argument in arguments if isinstance(argument, ast.Tuple)]
    inside = [each for one in tuples for each in one.elts if isinstance(each, ast.Call)]
    arguments = [*(each for case in inside for each in case.args[1:]), *arguments]
    return [argument for argument in arguments if isinstance(argument, ast.Name)]


def _functions_given(call: Any, definitions: dict[str, tuple[int, Any]]) -> list[Any]:
    """Return the functions that a call takes, in the order of their definitions."""
    names = [argument.id for argument in argument_names(call)]
    found = [definitions[name] for name in names if name in definitions]
    return [definition for _, definition in sorted(found, key=itemgetter(0))]


def _undeclared(body: list[ast.stmt]) -> list[ast.stmt]:
    return [each for each in body if not isinstance(each, (ast.Global, ast.Nonlocal))]


def _takes(statement: ast.stmt, parameter: str) -> bool:
    value = statement.value if isinstance(statement, ast.Assign) else None
    if operator_of(value) == "unpack_items":
        value = value.args[0]  # type: ignore[union-attr]
    return isinstance(value, ast.Name) and value.id == parameter
