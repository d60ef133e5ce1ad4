"""Random programs that pass lists, dicts and objects between attributes, rows and local names.

The containers are those there were, one under two names, and those that a call makes; branches and
loops that a tensor decides put them here or there, and some are changed.
"""

from __future__ import annotations

import random

PLACES = ("o.a", "o.b", "o.c")
CONDITIONS = ("x > 0", "x > 1", "x < 0", "x * x > 2")
# How a container is made, how it is changed, and what is read of it.
KINDS = {
    "list": ("[x]", ("{0}.append(x + {1})", "{0}[-1] = x + {1}"), "{0}[-1] + len({0})"),
    "object": (
        "Node(x)",
        ("{0}.row.append(x + {1})", "{0}.value = {0}.value + {1}"),
        "{0}.value + len({0}.row)",
    ),
    "dict": (
        "{'value': x, 'row': [x]}",
        ("{0}['row'].append(x + {1})", "{0}['value'] = x + {1}"),
        "{0}['value']",
    ),
    "nested": (
        "Node(x, p=Node(x))",
        ("{0}.p.value = {0}.p.value + {1}", "{0}.p = {2}.p"),
        "{0}.p.value",
    ),
    "linked": (
        "Node(x, p=o.b)",
        ("{0}.value = {0}.value + {1}", "{0}.p.value = {0}.p.value + {1}", "{0}.p = {2}"),
        "{0}.value + {0}.p.value",
    ),
}


class _Writer:
    """Writes one function.

    Args:
        choice: where random choices come from.
    """

    def __init__(self, choice: random.Random) -> None:
        self._choice = choice
        kind = choice.choice(list(KINDS))
        self._made, self._changes, self._read = KINDS[kind]
        self._outer = "chain(10.0)" if kind == "linked" else self._made.replace("x", "10.0")
        self._count = 0
        self.lines: list[str] = []

    def function(self) -> str:
        """Return the text of the function."""
        known: list[str] = []
        for _ in range(self._choice.randint(3, 6)):
            self._statement(1, known)
        if self._choice.random() < 0.5:
            for _ in range(2):
                self._write(1, f"o.n = o.n + {self._read.format(self._choice.choice(PLACES))}")
        result = self._choice.choice([*PLACES, *known, "None", "(o.a, o.b)"])
        return "\n".join(["def f(o, x):", *self.lines, f"    return {result}", ""])

    def world(self) -> str:
        """Return the text of a function that makes the objects that calls find outside."""
        new = self._outer
        third = self._choice.choice(["first", "second", new])
        return (
            f"def make():\n    first, second = {new}, {new}\n"
            f"    return Node(0.0, a=first, b=second, c={third}, rows=[first, {new}], n=0.0)\n"
        )

    def _name(self) -> str:
        self._count += 1
        return f"n{self._count}"

    def _statement(self, depth: int, known: list[str]) -> None:
        kind, choice = self._choice.random(), self._choice
        sources = [*PLACES, *known, *known]
        if kind < 0.12:
            known.append(self._name())
            self._write(depth, f"{known[-1]} = {self._made}")
        elif kind < 0.34:
            self._write(depth, f"{choice.choice(PLACES)} = {choice.choice(sources)}")
        elif kind < 0.39:
            self._write(depth, f"o.rows.append({choice.choice(sources)})")
        elif kind < 0.42:
            self._write(depth, f"{choice.choice(PLACES)} = o.rows[{choice.choice((0, -1))}]")
        elif kind < 0.56:
            one, other = (choice.choice([*PLACES, *known]) for _ in range(2))
            change = choice.choice(self._changes)
            self._write(depth, change.format(one, choice.randint(1, 9), other))
        elif kind < 0.62:
            self._write(depth, f"o.n = o.n + {self._read.format(choice.choice(sources))}")
        elif kind < 0.72:
            one, other = choice.choice(sources), choice.choice(sources)
            known.append(self._name())
            self._write(depth, f"{known[-1]} = {one} if {choice.choice(CONDITIONS)} else {other}")
        elif kind < 0.9 and depth < 4:
            self._branch(depth, known)
        elif kind < 0.95 and depth < 3:
            self._loop(depth, known)
        else:
            self._write(depth, "o.n = o.n + x")

    def _branch(self, depth: int, known: list[str]) -> None:
        self._write(depth, f"if {self._choice.choice(CONDITIONS)}:")
        self._body(depth + 1, known)
        if self._choice.random() < 0.6:
            self._write(depth, "else:")
            self._body(depth + 1, known)

    def _loop(self, depth: int, known: list[str]) -> None:
        left = self._name()
        self._write(depth, f"{left} = x")
        self._write(depth, f"while {left} > 0:")
        self._write(depth + 1, f"{left} = {left} - 1")
        self._body(depth + 1, known)

    def _body(self, depth: int, known: list[str]) -> None:
        inside = list(known)
        for _ in range(self._choice.randint(1, 3)):
            self._statement(depth, inside)

    def _write(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)


def random_program(seed: int) -> str:
    """Return the text of a function `f(o, x)`, and of one, `make()`, that makes its object.

    >>> random_program(1) == random_program(1) != random_program(2)
    True
    """
    writer = _Writer(random.Random(seed))
    return f"{writer.function()}\n\n{writer.world()}"
