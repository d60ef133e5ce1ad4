"""Modules from text written by a test."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType


def module_of(text: str, path: Path, **names: object) -> ModuleType:
    """Write a module to a file and import it; `names` are there for it from the beginning."""
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module).update(names)
    spec.loader.exec_module(module)
    return module
