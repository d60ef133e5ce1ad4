"""Random programs over tensors: a `main` of scalars, a vector and a truth value, that ends."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass

from tests.parity.differential.writer import Tables, Writer, indented
from tests.parity.staged_differential import numbers
from tests.parity.staged_differential.blocks import BLOCKS, statement
from tests.parity.staged_differential.definitions import DEFINITIONS
from tests.parity.staged_differential.features import ENABLED, available
from tests.parity.staged_differential.scope import Lines, Scope
from tests.parity.staged_differential.statements import (
    SIMPLE,
    mixed_assigned,
    new_dict,
    new_list,
    new_object,
    new_optional,
    results,
)

TABLES: Tables = {
    "statement": ((*BLOCKS, *DEFINITIONS), SIMPLE),
    "int": (numbers.INTEGERS, numbers.INTEGER_ATOMS),
    "float": (numbers.REALS, numbers.REAL_ATOMS),
    "truth": (numbers.TRUTHS, numbers.TRUTH_ATOMS),
    "condition": (numbers.CONDITIONS, ()),
    "vector": (numbers.VECTORS, numbers.VECTOR_ATOMS),
}
PARAMETERS = "a, b, x, xs, t"
CASES = (
    (5, 2, 1.5, (3, 1, 4), True),
    (0, -1, -0.5, (), False),
    (1, 3, 0.25, (7,), True),
    (-3, 4, 2.0, (2, 2, 0, 5), False),
    (2, 0, 0.0, (-1, 6), True),
    (4, 5, 3.5, (0, -2, 8), False),
)
BOX = """
class Box:
    def __init__(self, v):
        self.v, self.n = v, 0

    def add(self, k):
        self.v = (self.v + k) % 59
        self.n += 1

    def added(self, k):
        if k > self.v:
            self.n += 1
            return self.v + k
        return self.v

    def raise_to(self, k):
        while self.v < k:
            self.v += 2
"""
POINT = """
@dataclasses.dataclass
class Point:
    x: int
    y: int

    def moved(self, by):
        return Point(self.x + by, self.y)
"""


@dataclass(frozen=True)
class StagedProgram:
    """A text that defines `main`.

    Attributes:
        name: what its file is called.
        text: Python source.
        widens: whether numbers of different kinds are left by different paths.
        assigns: whether items of vectors are assigned, which tensors outside of a graph refuse.
    """

    name: str
    text: str
    widens: bool = False
    assigns: bool = False


class FeatureWriter(Writer):
    """A writer that knows which features are on, some of which one program leaves out."""

    def __init__(self, seed: int, enabled: Iterable[str]) -> None:
        super().__init__(seed, sys.version_info[:2], {})
        self.features = frozenset(name for name in sorted(enabled) if not self.chance(0.25))
        self.tables = available(TABLES, self.features)
        self.budget = self.pick((2, 3, 4, 6))


def random_program(seed: int, enabled: Iterable[str] = ENABLED) -> StagedProgram:
    """Return a program of the features that are on; the same seed always gives the same."""
    return written(seed, enabled)[0]


def written(seed: int, enabled: Iterable[str] = ENABLED) -> tuple[StagedProgram, set[str]]:
    """Return a program, and the names of the makers of its parts."""
    w = FeatureWriter(seed, enabled)
    main = _main(w)
    text = "\n".join([*_definitions("\n".join(main)), *main]) + "\n"
    widens = bool(w.used & {"mixed_assigned", "mixed_tensor_assigned"})
    assigns = "item_assigned" in w.used
    return StagedProgram(f"staged_{seed}.py", text, widens, assigns), w.used


def _definitions(text: str) -> Lines:
    lines = ["K = 3", *(BOX.splitlines() if "Box(" in text or "OUTER" in text else [])]
    lines += POINT.splitlines() if "Point(" in text else []
    return [
        *lines,
        *(
            ["OUTER = Box(rt.constant(4))", "OUTER.n, OUTER.best = rt.constant(0), None"]
            if "OUTER" in text
            else []
        ),
        "",
    ]


def _main(w: FeatureWriter) -> Lines:
    place = Scope(
        numbers=["a", "a", "b", "b"],
        targets=["a", "b"],
        floats=["x"],
        truths=["t"],
        vectors=["xs"],
        depth=w.pick((2, 3, 3)),
        results=w.pick(("i", "i", "ii", "if", "bi", "f")),
        jumps=True,
    )
    fuel = w.pick(("8", "9", "abs(a) + 6", "b + 7"))
    lines = [f"fuel = {fuel}"]
    for make in (new_list, new_dict, new_object, new_optional, mixed_assigned):
        if make.needs <= w.features and w.chance(0.3):  # type: ignore[attr-defined]
            lines += w.choose(((1, make),), place)
    while w.budget > 0:
        lines += statement(w, place)
    lines += [f"log('end', {name})" for name in _observed_variables(place)]
    return [f"def main({PARAMETERS}):", *indented([*lines, f"return {results(w, place)}"])]


def _observed_variables(p: Scope) -> list[str]:
    """Return variables whose last values are looked at."""
    kept = dict.fromkeys([*p.numbers, *p.floats, *p.truths, *p.vectors, *p.mixed])
    members = [f"{name}.v" for name in p.objects] + [f"{name}['k']" for name in p.dicts]
    return [*kept, *members, *(f"len({name})" for name in p.lists)]
