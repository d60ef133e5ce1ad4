"""The expression at a position of the source, by its columns or by its kind."""

from __future__ import annotations

import ast
import linecache

import pytest

from runtime.diagnostics.source_expressions import (
    SourceRange,
    expression_at,
    operand_nodes,
    text_of,
)

_FILE = "expressions.py"
_TEXT = """\
y = rt.matmul(x, w) + x @ w - x
z = rt.matmul(rt.matmul(x, w), w)
s = x[0] < x.sum()
x[0] = y[1]
ü = "ß"; v = matmul(ü, x)
"""


def _found(position: SourceRange, name: str | None, text: str = _TEXT) -> str | None:
    linecache.cache[_FILE] = (len(text), None, text.splitlines(True), _FILE)
    node = expression_at(_FILE, position, name)
    return None if node is None else ast.unparse(node)


@pytest.mark.parametrize(
    "line, name, expected",
    [
        # Two fit.
        (1, "matmul", None),
        (1, "__matmul__", "x @ w"),
        (1, "__rsub__", "rt.matmul(x, w) + x @ w - x"),
        (1, "subtract", "rt.matmul(x, w) + x @ w - x"),
        (1, "divide", None),
        (2, "matmul", None),
        (3, "__lt__", "x[0] < x.sum()"),
        (3, "sum", "x.sum()"),
        (3, "__getitem__", "x[0]"),
        (4, "__getitem__", "y[1]"),
        (4, "__setitem__", "x[0]"),
        (5, "matmul", "matmul(ü, x)"),
        (6, "matmul", None),
        (1, None, None),
    ],
)
def test_a_line_alone_tells_the_expression_if_one_fits(
    line: int, name: str | None, expected: str | None
) -> None:
    assert expected == _found(SourceRange(line), name)


def test_columns_tell_the_expression() -> None:
    assert "rt.matmul(x, w)" == _found(SourceRange(2, 2, 14, 29), None)
    # They count bytes.
    assert "matmul(ü, x)" == _found(SourceRange(5, 5, 15, 28), None)
    assert None is _found(SourceRange(2, 2, 14, 30), None)


def test_a_changed_file_is_read_again() -> None:
    place = SourceRange(1, 1, 0, 5)
    assert "a + b" == _found(place, None, "a + b\n")
    assert "c * d" == _found(place, None, "c * d\n")
    assert None is _found(place, None, "c * d )\n")


def test_operands_are_the_arguments_and_the_object_of_a_method() -> None:
    for text, expected in (
        ("f([a, b], axis=k)", "a b k"),
        ("x.assign(y)", "x y"),
        ("x[i, 1:n]", "x i 1:n"),
        ("x[i:j]", "x i j"),
        ("-x", "x"),
        ("a < b < c", ""),
        ("x.T", "x"),
    ):
        node = ast.parse(text, mode="eval").body
        assert expected.split() == [text_of(each) for each in operand_nodes(node)]
