"""Prints the table of the modules compared below the other results."""

from __future__ import annotations

import pytest

from tests.real_code.comparison import Comparison, table

COMPARED: list[Comparison] = []


@pytest.fixture
def rows() -> list[Comparison]:
    """The rows of the table; a test adds its comparisons."""
    return COMPARED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table, if there is anything in it."""
    if COMPARED:
        terminalreporter.section("CPython's tests before and after conversion")
        terminalreporter.write_line(table(COMPARED))
