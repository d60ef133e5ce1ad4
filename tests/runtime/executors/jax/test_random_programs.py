"""Random staged programs, and gradients of random programs, are the same in JAX."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest

import autograph as ag
from runtime.errors import EngineWarning
from tests.parity.gradient_differential import judging as gradients
from tests.parity.gradient_differential.programs import CASES
from tests.parity.gradient_differential.programs import random_program as gradient_program
from tests.parity.staged_differential.features import ENABLED
from tests.parity.staged_differential.judging import verdict
from tests.parity.staged_differential.programs import random_program
from tests.parity.staged_differential.running import SIGNATURE, Entry
from tests.parity.staged_differential.world import GIVEN
from tests.suite_length import IS_LONG

pytest.importorskip("jax")

PROGRAMS, BATCH = (2_000, 100) if IS_LONG else (4, 4)
# Engines have no way to take back what a graph has printed or logged.
FEATURES = ENABLED - {"prints"}
MOST_REFUSED = 0.2


@pytest.fixture(autouse=True)
def without_a_log() -> Iterator[None]:
    with mock.patch.dict(GIVEN, log=lambda tag, value: None):
        yield


def by_jax(entry: Entry) -> Entry:
    """Trace once, for vectors of any length, and run the graph by JAX where it can."""
    return ag.function(entry, input_signature=SIGNATURE, executor="jax", fallback=True)


@pytest.mark.parametrize("start", range(0, PROGRAMS, BATCH))
def test_staged_programs_are_the_same_in_jax(start: int) -> None:
    for seed in range(start, start + BATCH):
        with warnings.catch_warnings():
            warnings.simplefilter("error", EngineWarning)
            found = verdict(random_program(seed, FEATURES), stages={"jax": by_jax})
        if found is not None and not found.is_refusal:
            raise AssertionError(found.shrunk(by_jax, 100).text())


@pytest.mark.parametrize("start", range(0, PROGRAMS // 4 + 1, BATCH))
def test_gradients_of_programs_are_the_same_in_jax(start: int) -> None:
    refused: Counter[str] = Counter()
    with mock.patch.dict(os.environ, AUTOGRAPH_EXECUTOR="jax"):
        for seed in range(start, start + (BATCH if IS_LONG else 2)):
            found = verdict_of_gradients(seed)
            if found is not None and found.is_refusal:
                refused[str(found.actual).splitlines()[0]] += 1
            else:
                assert found is None, found.text()
    assert refused.total() <= 1 + MOST_REFUSED * BATCH, refused


def verdict_of_gradients(seed: int) -> Any:
    """Return how the gradients of a program differ, None if they do not."""
    return gradients.verdict(gradient_program(seed), CASES[:2], (1,))
