"""Random programs whose loops append containers to lists and change them.

What a turn puts in may be put in on one path, changed after it, carried to the next turn, or be
what an earlier turn has put in. The containers are lists or objects of a class.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

CONDITIONS = (
    *("i % 2 == 0", "i > k", "{row.size} > 1", "t > 3", "len(a) > 1", "i == 0", "n > 2"),
    "len(b) < 2",
)


@dataclass(frozen=True)
class Kind:
    """The code with which a program uses a container.

    Attributes:
        head: the text before the function.
        made: expressions that make one.
        first: one to begin with.
        change: statements that change the one called `{0}`.
        size: an expression for its contents.
        shown: one for the contents of a list of them.
        last: a statement that changes `row` after the loop.
    """

    head: str
    made: tuple[str, ...]
    first: tuple[str, ...]
    change: tuple[str, ...]
    size: str
    shown: str
    last: str


ROWS = Kind(
    "",
    ("[i]", "[]", "[i, k]", "row[:]", "row + [i]", "[t]"),
    ("[0]", "[]"),
    ("{0}.append(i)", "{0}.append(t)", "{0}.append(5)", "{0}.extend([k, 1])"),
    "len({0})",
    "{0}",
    "row.append(8)",
)
BOXES = Kind(
    "class Box:\n    def __init__(self, v):\n        self.v = v\n\n\n",
    ("Box(i)", "Box(t)", "Box(row.v)"),
    ("Box(0)",),
    ("{0}.v += i", "{0}.v += 5", "{0}.v = t"),
    "{0}.v",
    "[each.v for each in {0}]",
    "row.v += 8",
)
ARRAYS = Kind(
    "import numpy as np\n\n\n",
    ("np.full(2, i)", "np.zeros(2, int)", "np.array([i, k])", "row.copy()", "row + 1"),
    ("np.zeros(2, int)", "np.array([0, 1])"),
    ("{0}[0] += i", "{0}[k % 2] = 5", "{0} += 2", "{0}[:] = t", "{0}[1] = i"),
    "int({0}[0])",
    "[(each[0], each[1]) for each in {0}]",
    "row[0] = 8",
)


class _Writer:
    """Writes one function.

    Args:
        choice: where random choices come from.
        kind: of containers.
    """

    def __init__(self, choice: random.Random, kind: Kind) -> None:
        self._choice, self._kind = choice, kind
        self._has_other = False
        self.lines: list[str] = []

    def function(self) -> str:
        """Return the text of the function."""
        choice, kind = self._choice, self._kind
        first = choice.choice(kind.first)
        self._write(1, f"a, b, row, t = [], [], {first}, 0")
        self._write(1, f"other = {first}")
        self._write(1, choice.choice(("for i in range(n):", "for i in range(n):", "for i in [n]:")))
        self._block(2, 3, 6)
        if choice.random() < 0.3:
            self._write(1, "for r in a:")
            self._write(2, choice.choice((self._changed("r"), f"t += {self._size('r')}")))
        if choice.random() < 0.3:
            self._write(1, self._kind.last)
        lists = [kind.shown.format(each) for each in "ab"]
        row = kind.shown.format("[row]")
        wanted = choice.choice(((*lists, row), lists, (lists[0], row), (lists[1], row), lists[:1]))
        self._write(1, f"return {', '.join(wanted)}, t")
        return kind.head + "\n".join(["def f(n, k):", *self.lines, ""])

    def _write(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _size(self, name: str) -> str:
        return self._kind.size.format(name)

    def _changed(self, name: str) -> str:
        return self._choice.choice(self._kind.change).format(name)

    def _block(self, depth: int, least: int, most: int) -> None:
        for _ in range(self._choice.randint(least, most)):
            self._statement(depth)

    def _statement(self, depth: int) -> None:
        kind, choice = self._choice.random(), self._choice
        name = choice.choice(("row", "row", "row", "other")) if self._has_other else "row"
        if kind < 0.16:
            self._write(depth, f"row = {choice.choice(self._kind.made)}")
        elif kind < 0.31:
            self._write(depth, f"{choice.choice('ab')}.append({name})")
        elif kind < 0.51:
            self._write(depth, self._changed(name))
        elif kind < 0.55:
            self._has_other = True
            self._write(depth, "other = row")
        elif kind < 0.62:
            self._write(depth, f"t += {choice.choice((self._size('row'), 'len(a)', 'i'))}")
        elif kind < 0.70:
            self._write(depth, "if a:")
            picked = choice.choice(("row = a[-1]", "row = a.pop()", "b.append(a[0])"))
            changed = self._changed(choice.choice(("a[-1]", "a[0]")))
            self._write(depth + 1, choice.choice((picked, changed, f"t += {self._size('a[-1]')}")))
        elif kind < 0.88 and depth < 4:
            self._write(depth, f"if {self._condition()}:")
            self._block(depth + 1, 1, 3)
            if choice.random() < 0.4:
                self._write(depth, "else:")
                self._block(depth + 1, 1, 2)
        elif kind < 0.94 and depth < 3:
            self._write(depth, f"for j{depth} in range({choice.choice(('i', '2', 'k'))}):")
            self._block(depth + 1, 1, 3)
        elif kind < 0.97:
            self._write(depth, f"if {self._condition()}:")
            self._write(depth + 1, choice.choice(("continue", "break")))
        else:
            self._write(depth, "a, b = b, a")

    def _condition(self) -> str:
        condition = self._choice.choice(CONDITIONS)
        return condition.replace("{row.size}", self._size("row"))


def random_loop_program(seed: int) -> str:
    """Return the text of a function `f(n, k)` of two numbers."""
    choice = random.Random(seed)
    return _Writer(choice, choice.choice((ROWS, BOXES, ARRAYS))).function()
