"""Random programs of objects with state agree, traced, with eager execution, call by call."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from autograph.backends.graph.state.change_detection import restore
from autograph.functions.side_effects.console_output import ConsoleOutput
from autograph.functions.side_effects.external_changes import ExternalChanges
from tests.parity.stateful_objects.judging import verdict
from tests.parity.stateful_objects.layers import FEATURES
from tests.parity.stateful_objects.programs import random_program
from tests.suite_length import IS_LONG

BATCH = 10
# How many programs of each kind.
LONG, SHORT = (
    {"trainer": 900, "inside": 800, "fitting": 300},
    {"trainer": 4, "inside": 4, "fitting": 2},
)
PROGRAMS = LONG if IS_LONG else SHORT
# Of what calls make for themselves some is kept, or begins with random numbers: that is refused.
# A trainer may make a metric where a tensor tells whether there is one, and keep it.
MOST_REFUSED = {"trainer": 1, "inside": BATCH // 2, "fitting": 0}


def _batches() -> list[tuple[str, int]]:
    return [(kind, at) for kind, count in PROGRAMS.items() for at in range(0, count, BATCH)]


@pytest.mark.parametrize(("kind", "start"), _batches())
def test_objects_agree_with_python(kind: str, start: int) -> None:
    end = min(start + BATCH, PROGRAMS[kind])
    found = [verdict(random_program(kind, seed)) for seed in range(start, end)]
    refused = [each for each in found if each is not None and each.is_refusal]
    assert [] == [str(each) for each in found if each is not None and each not in refused]
    assert all(each.cause.startswith("VariableCreationError") for each in refused)
    assert len(refused) <= MOST_REFUSED[kind]


def test_a_seed_determines_the_program() -> None:
    assert random_program("trainer", 4) == random_program("trainer", 4)
    assert random_program("trainer", 4) != random_program("trainer", 5)


@pytest.mark.parametrize("kind", ["trainer", "inside", "fitting"])
def test_programs_are_written_in_both_spellings(kind: str) -> None:
    texts = [random_program(kind, seed).text for seed in range(6)]
    assert {True, False} == {"import tensorflow as tf" in text for text in texts}


def test_the_generator_reaches_every_feature_of_layers() -> None:
    texts = "".join(random_program("trainer", seed).text for seed in range(60))
    texts = texts.replace("rt.nn.", "keras.").replace("tf.keras.", "keras.").replace("rt.", "tf.")
    for name, feature in FEATURES.items():
        assert all(line in texts for line in (*feature.init, *feature.call)), name


def _undone_by_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back the watched objects, and not the state that objects of the library keep."""
    monkeypatch.setattr(ExternalChanges, "undo", lambda self: restore(self.reach))


def _printing_discarded_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print the output of a try that is thrown away."""
    monkeypatch.setattr(ConsoleOutput, "count_write", lambda self: True)


@pytest.mark.parametrize("plant", [_undone_by_halves, _printing_discarded_output])
def test_the_programs_find_a_planted_fault(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert any(verdict(random_program("trainer", seed)) for seed in range(12))
