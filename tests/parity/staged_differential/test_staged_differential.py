"""Random programs over tensors agree, staged, with eager tensors and with numbers."""

from __future__ import annotations

import gc

import pytest

from tests.parity.staged_differential.features import ENABLED
from tests.parity.staged_differential.judging import Verdict, verdict
from tests.parity.staged_differential.programs import random_program
from tests.parity.staged_differential.running import STAGES
from tests.suite_length import IS_LONG

PROGRAMS, BATCH = (15_000, 1_500) if IS_LONG else (16, 8)
MOST_REFUSED = (BATCH - 1) // 100  # under one in a hundred
ONE_TRACE = {"signature": STAGES["signature"]}


def judged(seed: int) -> Verdict | None:
    """Return how a program went; one that took too long is run again, for the machine may be busy.

    What does not end takes too long both times.
    """
    # Traces for every length of the vector take longest, and differ least.
    stages = ONE_TRACE if seed % 5 else STAGES
    found = verdict(random_program(seed), stages=stages)
    if found is not None and found.actual.is_exhausted:
        return verdict(random_program(seed), stages=stages)
    return found


@pytest.mark.parametrize("start", range(0, PROGRAMS, BATCH))
def test_staged_programs_agree_with_python(start: int) -> None:
    refused: list[Verdict] = []
    for seed in range(start, start + BATCH):
        if seed % 100 == 99:
            gc.collect()
            gc.freeze()  # as between tests: a trace searches through all other objects
        found = judged(seed)
        if found is not None and found.is_refusal:
            refused.append(found)
        else:
            assert found is None, found.shrunk().text()
    assert len(refused) <= MOST_REFUSED, "\n".join(sorted(each.cause for each in refused))


def test_a_seed_determines_the_program() -> None:
    assert random_program(5) == random_program(5)
    assert random_program(5) != random_program(6)
    assert "match " not in random_program(5, ENABLED - {"matches"}).text
