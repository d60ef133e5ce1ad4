"""The examples in the docstrings of `rt.nn`."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import runtime.nn

MODULES = [found.name for found in pkgutil.walk_packages(runtime.nn.__path__, "runtime.nn.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert 0 == result.failed
