"""Before and after the converter Chains."""

from __future__ import annotations

from autograph.analysis.nesting_limit import CHUNK, MOST_LEVELS
from autograph.converters.elif_chains import ElifChains
from tests.autograph.converters.steps import after, text


def chain(start: int, stop: int, indent: str, last: str) -> str:
    words = ["if", *["elif"] * (stop - start - 1)]
    arms = [f"{w} (x == {n}):\n    y = {n}" for n, w in enumerate(words, start)]
    lines = "\n".join([*arms, f"else:\n    {last}"]).splitlines()
    return "\n".join(f"{indent}{line}" for line in lines)


def test_a_short_chain_is_unchanged() -> None:
    before = f"def f(x):\n{chain(0, MOST_LEVELS, '    ', 'y = 7')}\n"
    assert text(before) == after(before, ElifChains)


def test_a_long_chain_is_split_into_shorter_ones() -> None:
    count = MOST_LEVELS + 1
    before = f"def f(x):\n{chain(0, count, '    ', 'y = 7')}\n    return y\n"
    runs = [f"    else_ = False\n{chain(0, CHUNK, '    ', 'else_ = True')}"]
    for start in range(CHUNK, count - 1, CHUNK):
        run = chain(start, start + CHUNK, "        ", "else_ = True")
        runs.append(f"    if else_:\n        else_ = False\n{run}")
    runs.append(f"    if else_:\n{chain(count - 1, count, '        ', 'y = 7')}")
    expected = "\n".join(["def f(x):", *runs, "    return y", ""])
    assert text(expected) == after(before, ElifChains)
