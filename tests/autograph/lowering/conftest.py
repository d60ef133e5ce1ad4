"""Fixtures of the lowering tests: one function in each branch of its compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograph.backends.protocol import Backend, Backends
from autograph.backends.python import PythonBackend
from autograph.conversion.converter import FunctionConverter
from autograph.converters.pipeline import convert_function
from tests.autograph.recorded import Active

# Nothing records; values are Python's while something records; all values belong to a backend.
BRANCHES: dict[str, tuple[Any, ...]] = {
    "idle": (),
    "python": (Active(),),
    "staged": (PythonBackend(),),
}


def converter(*backends: Backend) -> FunctionConverter:
    return FunctionConverter(Backends(backends), convert_function)


@pytest.fixture(params=list(BRANCHES))
def converted(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Convert a function so that its calls take one of the branches; each does as Python does."""
    return converter(*BRANCHES[request.param]).to_graph


@pytest.fixture(params=["idle", "python"])
def inlined(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Convert a function so that its calls take a branch without functions of ours."""
    return converter(*BRANCHES[request.param]).to_graph
