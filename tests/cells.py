"""Cells of a notebook without a kernel: code whose files IPython's shell names by numbers."""

from __future__ import annotations

import linecache
import sys
import types
from typing import Any

import pytest


class Cells:
    """A stand-in for IPython's shell, as `IPython.get_ipython()` returns it, that runs cells.

    Attributes:
        namespace: the variables of the notebook.
        compile: names files, as IPython's compiler does.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: dict[str, int] = {}
        self.compile = self
        module = types.ModuleType("cells")
        self.namespace: dict[str, Any] = vars(module)
        package = types.ModuleType("IPython")
        package.get_ipython = lambda: self  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "IPython", package)
        monkeypatch.setitem(sys.modules, "cells", module)

    def format_code_name(self, name: str) -> tuple[str, str] | None:
        """Return `Cell` and `In[NUMBER]` for the file of a cell."""
        return ("Cell", f"In[{self.names[name]}]") if name in self.names else None

    def run(self, text: str) -> Any:
        """Run a cell, and return the value of its last line if that is an expression."""
        number = len(self.names) + 1
        file = f"/tmp/ipykernel_7/{number}.py"
        self.names[file] = number
        linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
        exec(compile(text, file, "exec"), self.namespace)
        return self.namespace.get("result")
