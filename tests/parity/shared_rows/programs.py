"""Random programs over lists of rows whose number only a run knows.

Rows are lists or NumPy arrays. They are in several lists, under names, and taken out; copies of
lists have the same rows, copies of rows are others. Some rows are changed by what is found in a
list, and some are looked at.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass

LISTS = ("a", "b", "c")
CONDITIONS = ("n > 1", "n % 2 == 0", "t > 2", "len(a) > 2", "len(b) > 1", "k > 0")
PLACES = ("0", "-1", "k % len({0})", "n % len({0})")


@dataclass(frozen=True)
class Kind:
    """The code with which a program uses a row.

    Attributes:
        head: the text before the function.
        row: a row of the item that is written as `{0}`.
        lists: lists with the rows of another list, with copies of them, and with some of both.
        put_in: the items that are put into a list for a row.
        change: statements that change the row `{0}` by `{1}`.
        reads: expressions for its contents.
    """

    head: str
    row: str
    lists: tuple[str, ...]
    put_in: tuple[str, ...]
    change: tuple[str, ...]
    reads: tuple[str, ...]


ROWS = Kind(
    "",
    "[{0}]",
    (
        "{0}[:]",
        "list({0})",
        "{0} + [[k]]",
        "[r for r in {0}]",
        "[r for r in {0} if r[0] != k]",
        "{0}[1:] + {0}[:1]",
        "sorted({0}, key=len)",
        "[r[:] for r in {0}]",
        "[r if len(r) > 2 else list(r) for r in {0}]",
    ),
    ("{0}", "{0}", "{0}[:]", "list({0})", "{0} + [1]"),
    ("{0}.append({1})", "{0}.append({1})", "{0}[0] += {1}"),
    ("len({0})", "{0}[0]", "{0}[-1]"),
)
ARRAYS = Kind(
    "import numpy as np\n\n\n",
    "np.array([{0}, 1])",
    (
        "{0}[:]",
        "list({0})",
        "{0} + [np.array([k, 1])]",
        "[r for r in {0}]",
        "[r for r in {0} if r[0] != k]",
        "{0}[1:] + {0}[:1]",
        "sorted({0}, key=lambda r: r[1])",
        "[r.copy() for r in {0}]",
        "[r if r[0] > 2 else r + 0 for r in {0}]",
    ),
    ("{0}", "{0}", "{0}.copy()", "{0} + 1", "np.array([{0}[0], t])"),
    ("{0}[1] += {1}", "{0}[k % 2] = {1}", "{0} += {1}"),
    ("int({0}.sum())", "int({0}[0])", "int({0}[1])"),
)


class _Writer:
    """Writes one function.

    Args:
        choice: where random choices come from.
        kind: of rows.
    """

    def __init__(self, choice: random.Random, kind: Kind) -> None:
        self._choice, self._kind = choice, kind
        self._alias = {each: {each} for each in LISTS}
        self._count = 0
        self.lines: list[str] = []

    def function(self) -> str:
        """Return the text of the function."""
        choice, known = self._choice, list[str]()
        self._write(1, "a, b, c, t = [], [], [], 0")
        self._write(1, "for i in range(n):")
        self._write(2, f"a.append({self._made('i')})")
        self._write(2, choice.choice((f"b.append({self._made('i * 2')})", "b.append(a[-1])")))
        new = [f"[{self._made(5)}]", f"[{self._made(1)}, {self._made(2)}]"]
        self._write(1, f"c = {choice.choice((*new, 'a[:]', self._kind.lists[-2].format('a')))}")
        for _ in range(choice.randint(2, 6)):
            self._statement(1, known)
        results = ["a, b, c, t", "a, t", "b, t", "c, t", "t", *(f"{name}, t" for name in known)]
        self._write(1, f"return {choice.choice(results)}")
        return self._kind.head + "\n".join(["def f(n, k):", *self.lines, ""])

    def _write(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _name(self, base: str) -> str:
        self._count += 1
        return f"{base}{self._count}"

    def _made(self, value: object) -> str:
        return self._kind.row.format(value)

    def _picked(self, owner: str) -> str:
        return f"{owner}[{self._choice.choice(PLACES).format(owner)}]"

    def _row(self, known: list[str]) -> str:
        choice = self._choice
        is_known = known and choice.random() < 0.5
        return choice.choice(known) if is_known else self._picked(choice.choice(LISTS))

    def _statement(self, depth: int, known: list[str], over: Collection[str] = ()) -> None:
        kind, choice = self._choice.random(), self._choice
        one, other = choice.choice(LISTS), choice.choice(LISTS)
        # A loop over a list that it makes longer has no end.
        grows = self._alias[one].isdisjoint(over)
        if kind < 0.10:
            known.append(self._assigned(depth, self._picked(one)))
        elif kind < 0.14:
            known.append(self._assigned(depth, f"{one}.pop({choice.choice(('', '0'))})"))
        elif kind < 0.18:
            known.append(self._assigned(depth, self._made("n")))
        elif kind < 0.36:
            change = choice.choice(self._kind.change)
            self._write(depth, change.format(self._row(known), choice.randint(1, 9)))
        elif kind < 0.46 and grows:
            row = choice.choice(self._kind.put_in).format(self._row(known))
            self._write(depth, f"{one}.append({row})")
        elif kind < 0.53:
            self._write(depth, f"{one} = {choice.choice(self._kind.lists).format(other)}")
        elif kind < 0.54 and not over:
            self._alias[one] = self._alias[other] = self._alias[one] | self._alias[other]
            self._write(depth, f"{one} = {other}")
        elif kind < 0.58:
            self._write(depth, f"{self._picked(one)} = {self._row(known)}")
        elif kind < 0.68:
            self._write(depth, f"t += {choice.choice(self._kind.reads).format(self._row(known))}")
        elif kind < 0.80 and depth < 3:
            self._branch(depth, known, over)
        elif kind < 0.88 and depth < 3:
            self._write(depth, f"for {self._name('i')} in range(n):")
            self._body(depth + 1, known, over)
        elif kind < 0.94 and depth < 3:
            item = self._name("e")
            self._write(depth, f"for {item} in {one}:")
            self._body(depth + 1, [*known, item, item], {*over, *self._alias[one]})
        elif grows:
            self._write(depth, f"{one}.append({self._made('t')})")
        else:
            self._write(depth, f"t += len({one})")

    def _assigned(self, depth: int, value: str) -> str:
        name = self._name("r")
        self._write(depth, f"{name} = {value}")
        return name

    def _branch(self, depth: int, known: list[str], over: Collection[str]) -> None:
        self._write(depth, f"if {self._choice.choice(CONDITIONS)}:")
        self._body(depth + 1, known, over)
        if self._choice.random() < 0.5:
            self._write(depth, "else:")
            self._body(depth + 1, known, over)

    def _body(self, depth: int, known: list[str], over: Collection[str]) -> None:
        inside = list(known)
        for _ in range(self._choice.randint(1, 3)):
            self._statement(depth, inside, over)


def random_program(seed: int) -> str:
    """Return the text of a function `f(n, k)` of two numbers."""
    choice = random.Random(seed)
    return _Writer(choice, choice.choice((ROWS, ROWS, ARRAYS))).function()
