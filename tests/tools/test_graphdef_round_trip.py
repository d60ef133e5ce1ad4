"""The round trip law: an exported program computes the same after it is imported again."""

from __future__ import annotations

from collections import Counter

import numpy as np

from runtime.ops.op import REGISTRY
from tests.corpus import STAGED_PROGRAMS, find
from tests.suite_length import IS_LONG, sample
from tools import graphdef_round_trip as round_trip
from tools.graphdef_worker import Answer

# Ops that the export lowers to several nodes, which round in another way than the op.
CLOSE = {"einsum", "tensordot", "lstm_gates", "lstm_gates_grad", "gru_gates", "gru_gates_grad"}


def test_programs_compute_the_same_after_the_round_trip() -> None:
    verdicts = round_trip.of_programs(sample(STAGED_PROGRAMS, 80))
    assert {} == {name: why for name, (said, why) in verdicts.items() if said == round_trip.OTHER}
    counts = Counter(said for said, _ in verdicts.values())
    assert counts[round_trip.SAME] > len(verdicts) / 2
    assert counts[round_trip.CLOSE] <= len(verdicts) / 10


def test_ops_compute_the_same_after_the_round_trip() -> None:
    verdicts = round_trip.of_ops(sample(list(REGISTRY), 7))
    assert {} == {name: why for name, (said, why) in verdicts.items() if said == round_trip.OTHER}
    close = {name for name, (said, _) in verdicts.items() if said == round_trip.CLOSE}
    assert set() == close - CLOSE
    assert not IS_LONG or close == CLOSE


def test_a_difference_is_reported() -> None:
    (program,) = find(["collatz"])
    case = next(iter(round_trip.cases_of(program)))
    assert ("same", "") == round_trip.difference(case)
    wrong = case.values[0] + 1
    assert "gives" in str(case.difference(Answer([wrong], [])))
    assert not round_trip._same_bits([np.float32(0.5)], [np.float32(0.25)])
