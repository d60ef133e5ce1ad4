"""Tests in compiled code: the check for Python values, and the position of a failing test.

Before 3.12, Python shows a failed assertion at the last comparison of its test, from then on at the
whole statement. The compiler inverts `not a in b`, so the position is that of the comparison.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from autograph.lowering.operator_calls import RELATIONS, invoke, is_thunk, operator_of, put, read

_TESTS_AT_STATEMENT = sys.version_info < (3, 12)


class Temporaries:
    """Makes names of temporaries, other than the names in use.

    >>> names = Temporaries(["value_", "x"])
    >>> with names.reused_after_statement():
    ...     names.fresh("value_"), names.fresh("items_")
    ('value__1', 'items_')
    >>> names.fresh("value_")
    'value__1'
    """

    def __init__(self, used: Iterable[str]) -> None:
        self._used = frozenset(used)
        self._counts: dict[str, int] = {}
        self._lasting: dict[str, int] = {}
        self._lasts = False
        self._made: list[str] = []

    def fresh(self, base: str) -> str:
        """Return a name not in use."""
        if self._lasts:
            base, counts = f"lasting_{base}", self._lasting
        else:
            counts = self._counts
        count = counts.get(base, 0)
        while (name := f"{base}_{count}" if count else base) in self._used:
            count += 1
        counts[base] = count + 1
        if not self._lasts:
            self._made.append(name)
        return name

    def count(self) -> int:
        """Return the number of names made so far, for `since`."""
        return len(self._made)

    def since(self, count: int) -> list[str]:
        """Return the names made after the first `count` ones, without lasting ones."""
        return list(dict.fromkeys(self._made[count:]))

    @contextmanager
    def reused_after_statement(self) -> Iterator[None]:
        """Allow the names made in the block, for one statement, to be used again after it.

        Few names keep compilation fast: for each inner function, the compiler searches all names.
        """
        before = dict(self._counts)
        yield
        self._counts = before

    @contextmanager
    def lasting_names(self) -> Iterator[None]:
        """Make names that are not used again: a generator expression may run later."""
        before, self._lasts = self._lasts, True
        yield
        self._lasts = before


def is_python(name: str, value: Any, origin: Any, tested_at: Any = None) -> ast.expr:
    """Return `(name := value) is True or name is False or ag__.is_python_truth(name)`.

    Bools, by far the most frequent, are tested without a call.

    Args:
        name: the temporary.
        value: an expression.
        origin: a node with the position of the check.
        tested_at: for a value of which only the truth is used, a node with the position at which
            Python tests it. Then the last test is
            `ag__.is_python((name := ag__.truth_value(name)))`: an object's `__bool__` is called
            once, and may return a tensor.
    """
    return _any_of(_named(name, value, origin), name, origin, tested_at)


def is_python_variable(name: str, origin: Any, tested_at: Any = None) -> ast.expr:
    """Return the check of `is_python` for a temporary that is assigned already."""
    return _any_of(read(name, origin), name, origin, tested_at)


def is_python_iterable(name: str, tested_at: Any) -> ast.expr:
    """Return `ag__.is_python((name := ag__.iterable(name)))`, for the iterable of a loop."""
    return _is_python_after("iterable", name, tested_at)


def truth_test_position(test: Any, around: Any) -> Any:
    """Return the node at whose position Python tests the truth: before 3.12 the statement."""
    return around if _TESTS_AT_STATEMENT else test


def _any_of(first: ast.expr, name: str, origin: Any, tested_at: Any) -> ast.expr:
    place = origin if tested_at is None else tested_at
    plain = invoke("is_python_truth", [read(name, place)], place)
    tests = [
        _is(first, True, origin),
        _is(read(name, place), False, place),
        plain if tested_at is None else _is_python_after("truth_value", name, tested_at),
    ]
    return put(ast.BoolOp(ast.Or(), tests), place)


def _is_python_after(operator: str, name: str, tested_at: Any) -> ast.expr:
    # All of it has one position; otherwise a debugger would stop at the line twice.
    answer = _named(name, invoke(operator, [read(name, tested_at)], tested_at), tested_at)
    return invoke("is_python", [answer], tested_at)


def _named(name: str, value: Any, origin: Any) -> ast.expr:
    return put(ast.NamedExpr(put(ast.Name(name, ast.Store()), origin), value), origin)


def _is(left: ast.expr, constant: bool, origin: Any) -> ast.expr:
    right = put(ast.Constant(constant), origin)
    return put(ast.Compare(left, [ast.Is()], [right]), origin)


def read_and_clear(name: str, origin: Any) -> ast.expr:
    """Return `(name, name := None)[0]`: the value of a temporary, which is cleared."""
    nothing = put(ast.Constant(None), origin)
    cleared = put(ast.NamedExpr(put(ast.Name(name, ast.Store()), origin), nothing), origin)
    both = put(ast.Tuple([read(name, origin), cleared], ast.Load()), origin)
    return put(ast.Subscript(both, put(ast.Constant(0), origin), ast.Load()), origin)


def choice(test: ast.expr, then: ast.expr, orelse: ast.expr, origin: Any) -> ast.IfExp:
    """Return `then if test else orelse`."""
    return put(ast.IfExp(test, then, orelse), origin)


# -- assertion lines -------------------------------------------------------------------------------


_SHOWS_COMPARISONS = sys.version_info < (3, 12)
_TURNED_ROUND = (ast.In, ast.NotIn, ast.Is, ast.IsNot)
_TURNING = ("same", "differ", "contains", "lacks")
_COMPARING = ("compare", *_TURNING, *RELATIONS)
_WORDS = ("and_", "or_", "not_", "if_exp")


def failure_position(test: Any, statement: Any) -> Any:
    """Return the node at whose position an assertion of `test` fails.

    Args:
        test: the converted test.
        statement: a node with the position of the whole assertion.
    """
    found = _last_comparison(test) if _SHOWS_COMPARISONS else None
    return statement if found is None else found


def test_position(test: Any) -> Any:
    """Return the node at whose position the compiler sees the test of an assertion.

    Args:
        test: the converted test.
    """
    operand = test.args[0] if operator_of(test) == "not_" else None
    if isinstance(operand, ast.Compare) and isinstance(operand.ops[0], _TURNED_ROUND):
        return operand
    if operator_of(operand) in _TURNING:
        return operand
    return test


def _last_comparison(node: Any) -> Any:
    """Return the last comparison of a test; None if it has none."""
    if isinstance(node, ast.Compare) or operator_of(node) in _COMPARING:
        return node
    for operand in reversed(_operands(node)):
        found = _last_comparison(operand.body if is_thunk(operand) else operand)
        if found is not None:
            return found
    return None


def _operands(node: Any) -> list[Any]:
    if operator_of(node) in _WORDS:
        return list(node.args)
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.IfExp):
        return [node.test, node.body, node.orelse]
    return [node.operand] if isinstance(node, ast.UnaryOp) and _negates(node) else []


def _negates(node: ast.UnaryOp) -> bool:
    return isinstance(node.op, ast.Not)
