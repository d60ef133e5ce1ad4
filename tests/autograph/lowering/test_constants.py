"""Objects stand in a tree as texts, and in the code as themselves."""

from __future__ import annotations

import ast

from autograph.lowering.constants import Constants

PLACE = ast.parse("somewhere").body[0]


def test_each_object_has_one_text() -> None:
    constants = Constants()
    one, two = [1], [1]
    texts = [constants.node(value, PLACE).value for value in (one, two, one)]
    assert texts[0] == texts[2] != texts[1]
    assert [one, two] == list(constants.objects.values())
    assert constants.replaced(texts[0]) is one
    assert constants.replaced(texts[1]) is two


def test_a_text_is_none_a_source_can_hold() -> None:
    text = Constants().node(3, PLACE).value
    try:
        compile(f"'{text}'", "f.py", "eval")
    except (SyntaxError, ValueError):
        return
    raise AssertionError("a user could write this constant")


def test_everything_else_is_itself() -> None:
    constants = Constants()
    text = str(constants.node(len, PLACE).value)
    for value in ("text", "", 3, None, (text,), b"text", frozenset({text}), 2.5):
        assert constants.replaced(value) is value
    assert Constants().replaced(text) is text


def test_a_text_of_the_users_with_a_zero_character_is_theirs() -> None:
    constants = Constants()
    constants.node(len, PLACE)
    assert "\0autograph" == constants.replaced("\0autograph")


def test_a_node_is_where_it_was_asked_for() -> None:
    node = Constants().node(3, PLACE)
    assert (1, 0, 1, 9) == (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
