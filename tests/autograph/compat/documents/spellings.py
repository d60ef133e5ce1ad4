"""Programs in two spellings, TensorFlow's names and our own, and the lines they print."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

import pytest


def both(compat: Any, native: Any) -> pytest.MarkDecorator:
    """Run a test with `program` in TensorFlow's names, and again in our own."""
    spellings = [pytest.param(compat, id="compat"), pytest.param(native, id="native")]
    return pytest.mark.parametrize("program", spellings)


def printed_by(program: Callable[..., object], *args: Any) -> list[str]:
    """Return the lines that a program prints, those of a graph among those of Python.

    >>> printed_by(print, "a\\nb")
    ['a', 'b']
    """
    lines = io.StringIO()
    with contextlib.redirect_stdout(lines), contextlib.redirect_stderr(lines):
        program(*args)
    return lines.getvalue().splitlines()
