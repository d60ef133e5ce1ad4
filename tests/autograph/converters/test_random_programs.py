"""Random programs of all statements and jumps agree after conversion."""

from __future__ import annotations

import warnings

import pytest

from autograph.syntax.printer import print_tree
from tests.autograph.converters.programs import Programs
from tests.autograph.converters.reference import assert_same_behaviour, converted_module
from tests.suite_length import sample

CALLS = ((0, 0), (1, 2), (3, 1))
# What the generator stumbled over in the past.
NOTORIOUS = (35, 193, 253, 513, 1614, 3275, 3318, 3415, 3769, 3824, 4104, 5141, 5579, 6374, 6555)


def _is_program(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            compile(text, "<program>", "exec")
        except SyntaxError:
            return False
    return True


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("start", sample(range(0, 200, 10), 3))
def test_random_programs_behave_the_same(start: int) -> None:
    for seed in range(start, start + 10):
        text = Programs(seed, depth=1 + seed % 3).function()
        if _is_program(text):
            assert_same_behaviour(text, *CALLS)


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("seed", NOTORIOUS)
def test_a_notorious_program_behaves_the_same(seed: int) -> None:
    assert_same_behaviour(Programs(seed, depth=2 + seed % 3).function(), *CALLS)


def test_most_random_programs_are_valid_and_have_all_jumps() -> None:
    texts = [Programs(seed, depth=1 + seed % 3).function() for seed in range(200)]
    assert sum(map(_is_program, texts)) > 130
    everything = "".join(texts)
    for words in ("break", "continue", "return", "finally:", "else:", "except", "with", "match"):
        assert words in everything


def test_conversion_is_deterministic() -> None:
    text = Programs(4104, depth=4).function()
    assert print_tree(converted_module(text)) == print_tree(converted_module(text))
