"""Entries of tracebacks for lines that did not run."""

from __future__ import annotations

import traceback

from runtime.core.context import Origin
from runtime.diagnostics.traceback_lines import show_lines


def test_entries_end_a_traceback() -> None:
    error = ValueError("bad")
    show_lines(error, [Origin("a.py", 3, "f"), Origin("b.py", 9, "g")])
    shown = traceback.extract_tb(error.__traceback__)
    assert [("a.py", 3, "f"), ("b.py", 9, "g")] == [(e.filename, e.lineno, e.name) for e in shown]


def test_entries_are_appended_to_the_traceback() -> None:
    try:
        raise ValueError("bad")
    except ValueError as error:
        show_lines(error, [Origin("a.py", 3, "f")])
        names = [entry.name for entry in traceback.extract_tb(error.__traceback__)]
    assert ["test_entries_are_appended_to_the_traceback", "f"] == names


def test_no_carets_without_columns() -> None:
    error = ValueError("bad")
    line = (
        open(__file__, encoding="utf-8")
        .read()
        .splitlines()
        .index("from __future__ import annotations")
    )
    show_lines(error, [Origin(__file__, line + 1, "f")])
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    assert "from __future__ import annotations" in text
    assert "^" not in text


def test_an_invalid_position_is_omitted() -> None:
    error = ValueError("bad")
    show_lines(error, [Origin("a\0.py", 3, "f"), Origin("b.py", 9, "g")])
    assert ["b.py"] == [e.filename for e in traceback.extract_tb(error.__traceback__)]


def test_an_entry_does_not_keep_the_error_alive() -> None:
    error = ValueError("bad")
    show_lines(error, [Origin("a.py", 3, "f")])
    assert error.__traceback__ is not None
    assert error not in error.__traceback__.tb_frame.f_globals.values()
