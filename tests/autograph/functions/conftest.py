"""Fixtures of tests of calls."""

from __future__ import annotations

from typing import Any

import pytest

from autograph.functions.state.fast_key import MISSED
from autograph.functions.trace_cache.stateful_calls import StatefulCalls


@pytest.fixture
def hits(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each call that could be known at a glance was."""
    seen: list[bool] = []
    looked = StatefulCalls.run

    def run(self: StatefulCalls, given: Any) -> Any:
        result = looked(self, given)
        seen.append(result is not MISSED)
        return result

    monkeypatch.setattr(StatefulCalls, "run", run)
    return seen
