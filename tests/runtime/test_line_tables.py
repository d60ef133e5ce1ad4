"""Lines of frames agree with Python and are read once for each code object."""

from __future__ import annotations

import gc
import sys
from types import CodeType, FunctionType
from typing import Any

import pytest

from runtime.core import context
from runtime.core.context import line_of


def _function(statements: int) -> FunctionType:
    """A function that notes, in many of its lines, which line that is."""
    each = [
        "    note(sys._getframe())",
        "    if x: (note(sys._getframe()),",
        "           note(sys._getframe()))",
        "    x = [note(sys._getframe()) for _ in range(1)]",
        "    try: note(sys._getframe())",
        "    finally: x = 1",
    ]
    space: dict[str, Any] = {"sys": sys}
    exec("\n".join(["def f(x, note):", *each * statements]), space)
    made: FunctionType = space["f"]
    return made


@pytest.mark.parametrize("statements", [1, 10, 100])
def test_lines_agree_with_python(statements: int) -> None:
    lines: list[tuple[int, int]] = []
    _function(statements)(1, lambda frame: lines.append((line_of(frame), frame.f_lineno)))
    assert 5 * statements == len(lines)
    assert [theirs for _, theirs in lines] == [ours for ours, _ in lines]


def test_line_tables_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    real = context._lines_in

    def counted(code: CodeType) -> Any:
        read.append(code)
        return real(code)

    monkeypatch.setattr(context, "_lines_in", counted)
    function = _function(100)
    function(1, line_of)
    function(0, line_of)
    assert [function.__code__] == read


def test_line_tables_are_freed_with_their_code() -> None:
    function = _function(100)
    function(1, line_of)
    identity = id(function.__code__)
    assert identity in context._line_tables
    del function
    gc.collect()
    assert identity not in context._line_tables
