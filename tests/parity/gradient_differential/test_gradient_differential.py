"""Gradients of random programs, staged, are those of plain Python and of finite differences."""

from __future__ import annotations

import pytest

from tests.parity.gradient_differential.judging import Verdict, verdict
from tests.parity.gradient_differential.programs import CASES, Program, random_program
from tests.suite_length import IS_LONG

PROGRAMS, BATCH = (3_000, 300) if IS_LONG else (4, 4)
MOST_REFUSED = BATCH // 50


@pytest.mark.parametrize("start", range(0, PROGRAMS, BATCH))
def test_gradients_of_staged_programs_agree_with_python(start: int) -> None:
    refused: list[Verdict] = []
    for seed in range(start, start + BATCH):
        found = verdict(random_program(seed), CASES if IS_LONG else CASES[:2])
        if found is not None and found.is_refusal:
            refused.append(found)
        else:
            assert found is None, found.shrunk().text()
    assert len(refused) <= MOST_REFUSED, "\n".join(each.text() for each in refused)


def test_a_seed_determines_the_program() -> None:
    assert random_program(5) == random_program(5)
    assert random_program(5) != random_program(6)


PLANTED = {
    "differences": "    return reversing(x), v",
    "around 1": "    a = rt.cond(n > 0, lambda: planted(x), lambda: x)\n    return a, v",
}


@pytest.mark.parametrize("mode", PLANTED)
def test_a_wrong_gradient_is_caught(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Program, "is_honest", property(lambda self: mode == "differences"))
    text = f"def main(x, y, v, n):\n{PLANTED[mode]}\n"
    text += "def planted(x):\n    return x * rt.cast(2 + hasattr(x, 'graph'), rt.float64)\n"
    found = verdict(Program("planted.py", text))
    assert found is not None and mode == found.mode, found
