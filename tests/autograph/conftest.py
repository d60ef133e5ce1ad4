"""Fixtures of converted functions, in both versions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from runtime.graph.graph import Graph


@pytest.fixture(params=["idle", "recording"])
def half(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run a test twice: converted functions take their first half, then their second."""
    context = Graph("probe").recording() if request.param == "recording" else nullcontext()
    with context:
        yield request.param
