"""Random programs with generators agree, traced, with eager execution."""

from __future__ import annotations

from typing import Any

import pytest

from autograph.operators.generators import ConsumedGenerator
from tests.parity.generator_programs.judging import verdict
from tests.parity.generator_programs.programs import GeneratorProgram
from tests.suite_length import IS_LONG

BATCH = 10 if IS_LONG else 5
COUNT = 1000 if IS_LONG else 3
# The rest of a generator after a `break` on a tensor, `zip` of two endless generators, a list of
# tuples and numbers whose length only a run knows, and a `finally` that runs when Python drops a
# generator are refused.
MOST_REFUSED = BATCH // 2
REFUSED = (
    *("its remaining items are known only", "zip() iterates over two generators"),
    "a `finally` of it runs when the generator is deleted",
    "the items of a list or dict, which only the graph counts or picks, must be of one kind",
)


@pytest.mark.parametrize("start", range(0, COUNT, BATCH))
def test_generators_agree_with_python(start: int) -> None:
    found = [each for each in map(verdict, range(start, start + BATCH)) if each is not None]
    refused = [each for each in found if each.is_refusal]
    assert [] == [str(each) for each in found if not each.is_refusal]
    assert [] == [str(e) for e in refused if not any(words in e.cause for words in REFUSED)]
    assert len(refused) <= MOST_REFUSED


def test_a_seed_determines_the_program() -> None:
    assert GeneratorProgram(4).text == GeneratorProgram(4).text
    assert GeneratorProgram(4).text != GeneratorProgram(5).text


def test_the_programs_take_every_kind_of_generator_and_of_consumer() -> None:
    texts = "".join(GeneratorProgram(seed).text for seed in range(200))
    for words in (
        *("yield from", "while True", "finally:", "except ValueError", "in NUMBERS", "in xs"),
        *("break", "continue", "return\n", "return t, found", "enumerate(", "zip(", "else:"),
        *("next(held", "islice(", "chain(", "takewhile(", "any(", "all(", "max(", "filter("),
        *("sum(", "sorted(", "[*g", "m in g", "map(", "for v in held"),
    ):
        assert words in texts, words


def test_the_programs_find_a_planted_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop that ends early is not told to the generator, which goes on."""
    for_each = ConsumedGenerator.for_each

    def to_the_end(self: ConsumedGenerator, goes_on: Any, body: Any, state: Any) -> None:
        for_each(self, None, body, state)

    monkeypatch.setattr(ConsumedGenerator, "for_each", to_the_end)
    assert any(verdict(seed) for seed in range(20))
