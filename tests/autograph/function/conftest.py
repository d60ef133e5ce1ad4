"""What tests of calls share."""

from __future__ import annotations

from typing import Any

import pytest

from autograph.function.fast_guards import KeptCalls
from autograph.function.state_fast_key import MISSED


@pytest.fixture
def hits(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each call that could be known at a glance was."""
    seen: list[bool] = []
    looked = KeptCalls.run

    def run(self: KeptCalls, given: Any) -> Any:
        result = looked(self, given)
        seen.append(result is not MISSED)
        return result

    monkeypatch.setattr(KeptCalls, "run", run)
    return seen
