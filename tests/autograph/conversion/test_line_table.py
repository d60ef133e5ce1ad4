"""Line tables: code with another first line has the lines and columns that it had."""

from __future__ import annotations

import argparse
import ast
import dataclasses
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType, ModuleType
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.conversion.line_table import with_first_line
from autograph.conversion.renaming import code_tree
from autograph.errors import BranchMismatch


def codes_of(module: ModuleType) -> list[CodeType]:
    file = str(module.__file__)
    return list(code_tree(compile(Path(file).read_text("utf-8"), file, "exec")))


@pytest.mark.parametrize("module", [argparse, ast, dataclasses, inspect])
@pytest.mark.parametrize("step", [-5000, -3, 1, 40, 300])
def test_another_first_line_leaves_lines_and_columns(module: ModuleType, step: int) -> None:
    for code in codes_of(module):
        first = max(1, code.co_firstlineno - step)
        moved = with_first_line(code, first)
        assert first == moved.co_firstlineno
        assert list(code.co_lines()) == list(moved.co_lines())
        if sys.version_info >= (3, 11):
            assert list(code.co_positions()) == list(moved.co_positions())


def in_a_loop(xs: Any) -> Any:
    label = 0
    for x in xs:
        if x > 2:
            label = "big"
    return label


def in_a_nested_loop(xs: Any) -> Any:
    total, label = 0, 0
    while total < 3:
        for x in xs:
            total += x
            label = "big" if x > 2 else x
    return label


def after_an_early_return(xs: Any) -> Any:
    for x in xs:
        if x > 3:
            return 1
        if x > 2:
            return "big"
    return 0


def innermost_frame(error: BaseException) -> tuple[FrameType, int]:
    entry = error.__traceback__
    assert entry is not None
    while entry.tb_next is not None:
        entry = entry.tb_next
    return entry.tb_frame, entry.tb_lineno


def shown_line(error: BaseException) -> str:
    """Return the line that IPython marks: it counts from the first line of the frame's code."""
    frame, line = innermost_frame(error)
    lines, _ = inspect.getsourcelines(frame)
    return lines[line - frame.f_code.co_firstlineno].strip()


@pytest.mark.parametrize(
    "function, line",
    [
        (in_a_loop, "if x > 2:"),
        (in_a_nested_loop, 'label = "big" if x > 2 else x'),
        (after_an_early_return, "if x > 3:"),
    ],
)
def test_a_mismatch_is_shown_at_the_line_in_the_body(
    function: Callable[..., Any], line: str
) -> None:
    with pytest.raises(BranchMismatch) as caught:
        ag.function(function)(rt.constant([1, 2, 3]))
    assert line == shown_line(caught.value)
    assert f"    {line}\n" in str(caught.value) + "\n"
    frame, _ = innermost_frame(caught.value)
    assert function.__code__.co_firstlineno == frame.f_code.co_firstlineno


def divided(x: Any, y: Any) -> Any:
    while x > 0:
        x = x // y
    return x


def called_in_a_statement(x: Any) -> Any:
    if x > 0:
        x = divided(x, x - x)
    return x


def test_an_error_of_a_run_is_shown_at_the_line_in_the_body() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        ag.function(called_in_a_statement)(rt.constant(3))
    assert "x = x // y" == shown_line(caught.value)
    codes = [frame.f_code for frame, _ in walk_tb(caught.value.__traceback__)]
    caller = next(each for each in codes if each.co_name == "called_in_a_statement")
    assert called_in_a_statement.__code__.co_firstlineno == caller.co_firstlineno
