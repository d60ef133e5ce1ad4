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


def test_placeholder_texts_cannot_occur_in_source() -> None:
    text = Constants().node(3, PLACE).value
    try:
        compile(f"'{text}'", "f.py", "eval")
    except (SyntaxError, ValueError):
        return
    raise AssertionError("a user could write this constant")


def test_other_constants_are_unchanged() -> None:
    constants = Constants()
    text = str(constants.node(len, PLACE).value)
    for value in ("text", "", 3, None, (text,), b"text", frozenset({text}), 2.5):
        assert constants.replaced(value) is value
    assert Constants().replaced(text) is text


def test_a_user_string_with_a_null_character_is_unchanged() -> None:
    constants = Constants()
    constants.node(len, PLACE)
    assert "\0autograph" == constants.replaced("\0autograph")


def test_a_node_has_the_given_position() -> None:
    node = Constants().node(3, PLACE)
    assert (1, 0, 1, 9) == (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
