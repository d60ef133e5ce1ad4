"""Staged statements in a list of statements: each is a call, before it the functions it takes."""

from __future__ import annotations

import ast
from operator import itemgetter
from typing import Any

from autograph.lowering.operator_calls import word_of

# Where the functions begin among the arguments: the first one of most is the user's value.
_WORDS = {
    "if_stmt": 1,
    "while_stmt": 0,
    "for_stmt": 1,
    "assert_stmt": 2,
    "match_stmt": 1,
    "try_stmt": 0,
    "with_stmt": 1,
}


class Parts(list[Any]):
    """The functions made of one statement, in their order."""

    def named(self, name: Any) -> Any:
        """Return the function that a word is given under `name`."""
        return next(part for part in self if part.name == name.id)

    def inside(self, name: Any) -> list[ast.stmt]:
        """Return the statements of a function but for its declarations."""
        return _undeclared(self.named(name).body)

    def result_of(self, name: Any) -> Any:
        """Return what a function without other statements returns."""
        return self.named(name).body[-1].value

    def target_and_rest(self, name: Any) -> tuple[ast.expr, list[ast.stmt]]:
        """Return what the items of a `for` are assigned to, and what is done for each."""
        statements = self.inside(name)
        parameter = self.named(name).args.args[0].arg
        at = next(i for i, each in enumerate(statements) if _takes(each, parameter))
        assignment = statements[at]
        assert isinstance(assignment, ast.Assign)
        return assignment.targets[0], [*statements[:at], *statements[at + 1 :]]


class Staged:
    """What is staged in a list of statements.

    Attributes:
        by_call: the functions of a staged statement by the identity of its call.
        belonging: the identities of all these functions.
    """

    def __init__(self) -> None:
        self.by_call: dict[int, Parts] = {}
        self.belonging: set[int] = set()


def staged_in(statements: list[ast.stmt]) -> Staged:
    """Find the staged statements."""
    found = Staged()
    definitions: dict[str, tuple[int, Any]] = {}
    for position, statement in enumerate(statements):
        if isinstance(statement, ast.FunctionDef):
            definitions[statement.name] = (position, statement)
        elif isinstance(statement, ast.Expr) and word_of(statement.value) in _WORDS:
            parts = Parts(_functions_given(statement.value, definitions))
            found.by_call[id(statement)] = parts
            found.belonging.update(map(id, parts))
    return found


def names_given(call: Any) -> list[ast.Name]:
    """Return the names among the arguments of a word, those of its cases or handlers included.

    >>> call = ast.parse("ag__.match_stmt(x, (ag__.case(p, None, body), ), get, put)").body[0].value
    >>> [name.id for name in names_given(call)]
    ['body', 'get', 'put']
    """
    arguments = call.args[_WORDS[call.func.attr] :]
    tuples = [argument for argument in arguments if isinstance(argument, ast.Tuple)]
    inside = [each for one in tuples for each in one.elts if isinstance(each, ast.Call)]
    arguments = [*(each for case in inside for each in case.args[1:]), *arguments]
    return [argument for argument in arguments if isinstance(argument, ast.Name)]


def _functions_given(call: Any, definitions: dict[str, tuple[int, Any]]) -> list[Any]:
    """Return the functions a call takes, in the order of their definitions."""
    names = [argument.id for argument in names_given(call)]
    found = [definitions[name] for name in names if name in definitions]
    return [definition for _, definition in sorted(found, key=itemgetter(0))]


def _undeclared(body: list[ast.stmt]) -> list[ast.stmt]:
    return [each for each in body if not isinstance(each, (ast.Global, ast.Nonlocal))]


def _takes(statement: ast.stmt, parameter: str) -> bool:
    value = statement.value if isinstance(statement, ast.Assign) else None
    if word_of(value) == "unpacked":
        value = value.args[0]  # type: ignore[union-attr]
    return isinstance(value, ast.Name) and value.id == parameter
