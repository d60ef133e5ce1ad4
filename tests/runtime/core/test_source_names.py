"""Names of source files in messages: files by path, cells as IPython names them."""

from __future__ import annotations

import sys
import types
import warnings
from collections.abc import Iterator

import pytest

from runtime.core.context import Origin
from runtime.core.source_names import cell_name, ipython_shell, line_name, source_name, warn_at
from tests.cells import Cells

CELL = "/tmp/ipykernel_7/123.py"


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cells]:
    """A shell of IPython with a cell that has the number 8."""
    cells = Cells(monkeypatch)
    cells.names[CELL] = 8
    yield cells


def test_a_cell_has_the_name_that_ipython_gives_it(notebook: Cells) -> None:
    assert "Cell In[8]" == cell_name(CELL)
    assert "Cell In[8]" == source_name(CELL)
    assert "Cell In[8], line 3" == line_name(CELL, 3)
    assert "Cell In[8]" == line_name(CELL, None)
    assert "Cell In[8], line 3, in f" == str(Origin(CELL, 3, "f"))


def test_a_file_keeps_its_name_in_a_notebook(notebook: Cells) -> None:
    assert "lib/model.py:3" == line_name("lib/model.py", 3)
    assert "model.py:3" == line_name("lib/model.py", 3, folders=False)


def test_without_a_shell_there_are_no_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert ipython_shell() is None
    assert f"{CELL}:3" == line_name(CELL, 3)


def test_ipython_that_was_imported_but_does_not_run_has_no_cells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = types.ModuleType("IPython")
    module.get_ipython = lambda: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", module)
    assert "" == cell_name(CELL)


def test_a_shell_that_names_no_cells_is_no_error(notebook: Cells) -> None:
    notebook.compile = object()  # type: ignore[assignment]
    assert f"{CELL}:3" == line_name(CELL, 3)


def test_a_warning_names_the_cell_and_its_file(notebook: Cells) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warn_at(Origin(CELL, 3, "f"), "it changed", UserWarning)
        warn_at(Origin("model.py", 4, "f"), "it changed", UserWarning)
    shown = [(str(each.message), each.filename, each.lineno) for each in seen]
    cell = "it changed\n  at Cell In[8], line 3"
    assert [(cell, CELL, 3), ("it changed", "model.py", 4)] == shown


def test_a_message_that_names_the_cell_is_not_changed(notebook: Cells) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warn_at(Origin(CELL, 3, "f"), "it changed (at Cell In[8], line 3)", UserWarning)
    assert "it changed (at Cell In[8], line 3)" == str(seen[0].message)
