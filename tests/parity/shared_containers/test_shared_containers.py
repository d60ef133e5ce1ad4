"""Random programs leave, staged, the same containers as Python, or are refused."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagingError
from tests.parity.shared_containers.observed_structure import Node, chain, observed_structure
from tests.parity.shared_containers.programs import random_program
from tests.parity.written import module_of
from tests.suite_length import IS_LONG

PROGRAMS, BATCH = (2_000, 100) if IS_LONG else (10, 5)
CALLS = (1.0, -1.0, 2.0, 0.0, 3.0)


def difference(module: ModuleType, first: int) -> str | None:
    """Return where the staged function leaves something else; "refused" if it is not staged."""
    staged = ag.function(module.f)
    worlds = module.make(), module.make()
    for value in CALLS[first:]:
        plain = module.f(worlds[0], rt.constant(value))
        try:
            result: Any = staged(worlds[1], rt.constant(value))
        except StagingError:
            return "refused"
        left = observed_structure(worlds[0], plain), observed_structure(worlds[1], result)
        if left[0] != left[1]:
            return f"f(o, {value}) leaves\n{left[1]}\ninstead of\n{left[0]}"
    return None


@pytest.mark.parametrize("start", range(0, PROGRAMS, BATCH))
def test_containers_after_calls_agree_with_python(start: int, tmp_path: Path) -> None:
    refused = 0
    for seed in range(start, start + BATCH):
        text = random_program(seed)
        path = tmp_path / f"shared_containers_{seed}.py"
        found = difference(module_of(text, path, Node=Node, chain=chain), seed % 3)
        refused += found == "refused"
        assert found in (None, "refused"), f"{text}\n{found}"
    # They are made to be as hard as can be.
    assert refused <= BATCH // 2


def test_comparison_distinguishes_one_container_from_two() -> None:
    one, other = [1.0], [1.0]
    assert (
        observed_structure([one, one])
        != observed_structure([one, other])
        == observed_structure([other, one])
    )
    assert (
        observed_structure(Node(rt.constant(2.0)))
        == observed_structure(Node(2.0))
        != observed_structure(Node(3.0))
    )
