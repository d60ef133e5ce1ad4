"""The printed form of converted code is that of the reference documents, to the letter."""

from __future__ import annotations

import os
import subprocess
import sys

from autograph.converters.pipeline import convert_function
from autograph.options import ConversionOptions
from autograph.syntax.printer import print_tree
from tests.autograph.converters.reference import TextSource, definition_of, parse
from tests.reference_listings import MY_FUNCTION, SIMPLE_RELU

REQUESTED = ConversionOptions(user_requested=True)


def printed(text: str, name: str) -> str:
    source = TextSource(text, definition_of(parse(text), name), name)
    lines = print_tree(convert_function(source, REQUESTED)).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def test_simple_relu() -> None:
    text = (
        "def simple_relu(x):\n"
        "    if tf.greater(x, 0):\n        return x\n    else:\n        return 0\n"
    )
    assert SIMPLE_RELU.strip("\n") == printed(text, "simple_relu")


def test_my_function() -> None:
    text = (
        "def my_function(x):\n"
        "    if tf.reduce_sum(x) <= 1:\n        return x * x\n    else:\n        return x - 1\n"
    )
    assert MY_FUNCTION.strip("\n") == printed(text, "my_function")


def test_a_return_after_an_if_prints_like_an_else() -> None:
    early = "def g(x):\n    if x > 0:\n        return x\n    return 0\n"
    late = "def g(x):\n    if x > 0:\n        return x\n    else:\n        return 0\n"
    assert printed(late, "g") == printed(early, "g")


_PRINT = """
from tests.autograph.converters.test_listings import printed
from tests.autograph.converters.programs import Programs
print("".join(printed(Programs(seed, depth=3).function(), "f") for seed in (3, 30, 253)))
"""


def test_the_text_does_not_depend_on_the_hash_seed() -> None:
    texts = set()
    for seed in ("0", "1", "42"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", _PRINT],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        texts.add(done.stdout)
    assert 1 == len(texts)
    assert "get_state_1" in texts.pop()
