"""Origins show the user's line and mark the right characters."""

from __future__ import annotations

import ast
from dataclasses import dataclass

import gast
import pytest

from autograph.errors import ConversionError
from autograph.syntax import (
    SourceSpan,
    Template,
    caret,
    copy_origin,
    origin_of,
    parse,
    parse_expression,
)
from autograph.syntax import walk as walk_tree
from autograph.syntax.origin import position_of, segment_of


@dataclass(frozen=True)
class Text:
    """A source for these tests."""

    text: str
    filename: str = "m.py"
    name: str = "f"

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")


def shown(text: str, node: object) -> str:
    origin = origin_of(node, Text(text))
    assert origin is not None
    return caret(origin)


def last_value(text: str) -> object:
    return parse(text).body[-1].value


@pytest.mark.parametrize(
    ("text", "carets"),
    [
        ("x = foo(1)", "    ^^^^^^"),
        ("x = 'é' + y", "    ^^^^^^^"),
        ("é = y", "    ^"),
        ("ééé = yy", "      ^^"),
        ("名 = y", "     ^"),
        ("x = '名'", "    ^^^^"),
        ("x = y  # why", "    ^"),
        ("e\u0301x = y", "     ^"),
        ("x = 1;\ty = 22", "      \t    ^^"),
    ],
)
def test_carets_are_under_the_span(text: str, carets: str) -> None:
    assert shown(text, last_value(text)) == f"{text}\n{carets}"


def test_indentation_is_omitted() -> None:
    text = "if a:\n\tif b:\n\t    x = yy"
    node = parse(text).body[0].body[0].body[0].value
    assert shown(text, node) == "x = yy\n    ^^"


def test_only_the_first_line_of_a_longer_span_is_shown() -> None:
    text = "x = foo(\n    1,\n)"
    assert shown(text, last_value(text)) == "x = foo(\n    ^^^^"


def test_describe_names_the_place() -> None:
    origin = origin_of(parse("x = 1\ny = x").body[1], Text("x = 1\ny = x"))
    assert origin == SourceSpan("m.py", 2, "f", 0, 2, 5, "y = x")
    assert origin.describe() == "at m.py:2, in f\n  y = x\n  ^^^^^"


def test_errors_show_the_place_below_their_message() -> None:
    error = ConversionError("no", SourceSpan("m.py", 2, "f", 4, 2, 5, "y = x"))
    assert str(error) == "no\n  at m.py:2, in f\n    y = x\n        ^"


def test_an_origin_without_text_or_column_shows_the_place_only() -> None:
    assert SourceSpan("m.py", 2, "f").describe() == "at m.py:2, in f"
    assert SourceSpan("m.py", 2, "f", text="    x = 1").describe() == "at m.py:2, in f\n  x = 1"


def test_spans_beyond_the_line_still_show_a_caret() -> None:
    assert caret(SourceSpan("m.py", 1, "f", 40, 1, 50, "x = 1")).endswith("\n     ^")
    assert caret(SourceSpan("m.py", 1, "f", 2, 1, 1, "x = 1")) == "x = 1\n  ^"


def test_nodes_without_position_or_beyond_the_text() -> None:
    expression = Template("a + b").expression()
    assert origin_of(expression, Text("")) is None
    node = parse("\n\nx").body[0]
    assert origin_of(node, Text("")) == SourceSpan("m.py", 3, "f", 0, 3, 1, "")


def test_copy_origin_fills_only_missing_origins() -> None:
    user = parse("\n\nx = y").body[0]
    tree = Template("f($x, g)").expression(x=user.value)
    assert copy_origin(user, tree) is tree
    lines = {n.lineno for n in walk_tree(tree) if "lineno" in n._attributes}
    assert lines == {3}
    assert (tree.args[0].col_offset, tree.args[1].col_offset) == (4, 0)


def test_copy_origin_takes_lists_and_does_nothing_without_a_position() -> None:
    statements = Template("a\nb").statements()
    assert copy_origin(parse("x").body[0], statements) is statements
    assert [s.lineno for s in statements] == [1, 1]
    assert not hasattr(
        copy_origin(Template("a").expression(), Template("b").expression()), "lineno"
    )


def test_a_position_without_an_end_ends_at_its_start() -> None:
    node = parse_expression("x")
    del node.end_lineno
    assert position_of(node) == {
        "lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0
    }  # fmt: skip


def test_a_segment_is_the_text_of_a_node() -> None:
    text = "é = f(a,\n   'ü') + b\n"
    source = Text(text)
    tree = parse(text)
    for node in walk_tree(tree):
        if hasattr(node, "lineno"):
            assert ast.get_source_segment(text, node) == segment_of(node, source)
    assert "" == segment_of(gast.Name("x", gast.Load(), None, None), source)
