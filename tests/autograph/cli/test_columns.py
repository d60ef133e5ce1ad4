"""Columns: all text is shown, and no line is wider than the terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autograph.cli.terminal import side_by_side, wrap

LINES = st.text(st.sampled_from("abc (),"), max_size=90).map(str.rstrip)


@given(st.lists(st.tuples(LINES, LINES), max_size=5), st.integers(50, 100))
def test_columns_are_complete_and_fit_the_terminal(rows, columns):
    shown = list(side_by_side(rows, columns))
    assert all(len(line) <= columns for line in shown)
    letters = [character for line in shown for character in line if character not in " |"]
    given_ = [character for row in rows for text in row for character in text if character != " "]
    assert sorted(letters) == sorted(given_)


@given(LINES, st.integers(10, 40))
def test_folding_keeps_everything_but_spaces(line, width):
    pieces = wrap(line, width)
    assert "".join(pieces).replace(" ", "") == line.replace(" ", "")
    assert all(len(piece) <= width for piece in pieces)


def test_folded_lines_are_cut_at_spaces_and_indented():
    pieces = ["    f(first,", "        second,", "        third)"]
    assert wrap("    f(first, second, third)", 16) == pieces
