"""Random programs that are differentiated: a `main` of floats, a vector and a whole number."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

from tests.parity.differential.writer import Tables, Writer, indented
from tests.parity.gradient_differential import expressions as known
from tests.parity.gradient_differential.scope import Lines, Scope
from tests.parity.gradient_differential.statements import COMPOUND, SIMPLE, statement

TABLES: Tables = {
    "statement": (COMPOUND, SIMPLE),
    "float": (known.REALS, known.REAL_ATOMS),
    "vector": (known.VECTORS, known.VECTOR_ATOMS),
    "int": (known.WHOLES, known.WHOLE_ATOMS),
    "truth": (known.TRUTHS, known.TRUTH_ATOMS),
}
PARAMETERS = "x, y, v, n"
CASES = (
    (0.43, -0.71, (0.31, -0.53, 0.87), 3),
    (-0.37, 0.59, (1.13, 0.29, -0.67), 0),
    (1.21, 0.83, (-0.47, 0.61, 0.11), 5),
    (0.19, 1.47, (0.73, 1.01, -0.23), 2),
)
# What cuts gradients, or gives others than the slopes: finite differences say something else.
_DISHONEST = re.compile(r"stop_gradient|reversing\(|assign|stop_recording")


@dataclass(frozen=True)
class Program:
    """A text that defines `main`, which returns a float and a vector.

    Attributes:
        name: what its file is called.
        text: Python source.
    """

    name: str
    text: str

    @property
    def is_honest(self) -> bool:
        """Whether gradients are slopes."""
        return _DISHONEST.search(self.text) is None


def random_program(seed: int) -> Program:
    """Return a program; the same seed always gives the same."""
    w = Writer(seed, sys.version_info[:2], TABLES)
    w.budget = w.pick((2, 3, 4, 6))
    return Program(f"gradient_{seed}.py", "\n".join(_main(w)) + "\n")


def _main(w: Writer) -> Lines:
    place = Scope(
        numbers=["n", "n"],
        targets=["a", "b"],
        floats=["x", "y", "a", "b"],
        vectors=["v", "p"],
        assignable=["p"],
        depth=w.pick((2, 3)),
    )
    lines = ["a, b, p, fuel = x * y, y, v * x, 6"]
    while w.budget > 0:
        lines += statement(w, place)
    ending = w.pick(("a", "b", *place.floats))
    return [
        f"def main({PARAMETERS}):",
        *indented([*lines, f"return a + 0.5 * {ending} + b, p + v"]),
    ]
