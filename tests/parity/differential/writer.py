"""The writer of random programs: choices from a seed, fresh names, the current position."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

T = TypeVar("T")
INDENT = "    "


@dataclass(frozen=True)
class WritingScope:
    """The place in a program where code is written, and the names and constructs it may use.

    Attributes:
        numbers, lists, dicts, strings, objects: variables that most likely hold such a value.
        targets: variables for numbers that may be bound here.
        functions: functions of numbers that are defined around here.
        kind: the function the place is in: "plain", "generator", "coroutine"; or "class".
        depth: how deep statements may still nest.
        loop: whether `break` and `continue` have a loop.
        jumps: whether jumps may leave from here; out of `except*` they may not.
        handler: whether an exception is being handled.
        suspends: whether an expression may `yield` or `await`.
        binds: whether an expression may bind names.
        nested: whether the function here stands in another one.
    """

    numbers: list[str]
    targets: list[str]
    lists: list[str] = field(default_factory=list)
    dicts: list[str] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    kind: str = "plain"
    depth: int = 3
    loop: bool = False
    jumps: bool = True
    handler: bool = False
    suspends: bool = True
    binds: bool = True
    nested: bool = False

    def inner(self, **changes: Any) -> WritingScope:
        """Return the place of a block one level further in; its additions are its own."""
        held = {f.name: getattr(self, f.name) for f in fields(self)}
        copied = {name: list(v) for name, v in held.items() if isinstance(v, list)}
        return replace(self, **{**copied, "depth": self.depth - 1, **changes})

    def quiet(self, *numbers: str) -> WritingScope:
        """Return the place of an expression with a scope of its own, such as a lambda's body."""
        return replace(self, numbers=[*self.numbers, *numbers], suspends=False, binds=False)


Maker = Callable[["Writer", WritingScope], Any]
Table = Sequence[tuple[int, Maker]]
Tables = Mapping[str, tuple[Table, Table]]


class Writer:
    """Random choices; the same seed always writes the same program.

    Args:
        seed: of the random numbers.
        version: the Python that programs are written for, as (3, 12).
        tables: for each kind of statement or expression its makers, and those that end a nest.
    """

    def __init__(self, seed: int, version: tuple[int, int], tables: Tables) -> None:
        self.random = random.Random(seed)
        self.version = version
        self.tables = tables
        self.used: set[str] = set()
        self._counts: dict[str, int] = {}
        self._emphasis: dict[Maker, float] = {}
        self.budget = self.random.choice((1, 2, 3, 5))

    def pick(self, items: Iterable[T]) -> T:
        """Return one of the items."""
        return self.random.choice(tuple(items))

    def chance(self, probability: float) -> bool:
        """Return True as often as the probability says."""
        return self.random.random() < probability

    def some(self, make: Callable[[], T], least: int = 0, most: int = 3) -> list[T]:
        """Return a few results of `make`."""
        return [make() for _ in range(self.random.randint(least, most))]

    def fresh(self, base: str) -> str:
        """Return a name nobody has used yet."""
        self._counts[base] = self._counts.get(base, 0) + 1
        return f"{base}{self._counts[base]}"

    def choose(self, table: Table, place: WritingScope) -> Any:
        """Return the result of one of the makers; one that cannot make anything here gives None.

        Every program has its own taste: some makers are used much, others hardly at all.
        """
        while True:
            weights = [weight * self._taste(maker) for weight, maker in table]
            ((_, maker),) = self.random.choices(table, weights)
            made = maker(self, place)
            if made is not None:
                self.used.add(maker.__name__)
                return made

    def _taste(self, maker: Maker) -> float:
        if maker not in self._emphasis:
            self._emphasis[maker] = self.random.choice((0.1, 1.0, 1.0, 4.0))
        return self._emphasis[maker]


def indented(lines: Iterable[str]) -> list[str]:
    """Return the lines one level further in."""
    return [INDENT + line for line in lines]


def shapes(table: str) -> tuple[str, ...]:
    """Return the entries of a table of templates: one a line, or set apart by two spaces.

    >>> shapes('''
    ...     break    return {0}
    ... ''')
    ('break', 'return {0}')
    """
    return tuple(shape for shape in re.split(r"\n|\s{2,}", table) if shape)
