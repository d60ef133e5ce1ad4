"""Random programs with several names for one list, dict or object, as source text."""

from __future__ import annotations

from random import Random

PRELUDE = """\
import dataclasses

import jax


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Pair:
    u: float
    v: float


def pick(one, other, x):
    return one if x > 0 else other


def early(one, other, x):
    if x > 0:
        return one
    other{u} = other{u} + 1.0
    return other


def bump(one, x):
    one{v} = one{v} + x


def bump_and_read(one, other, x):
    one{u} = x
    return other{u}

"""
# The places of a container, the text that makes one, and the text that copies one.
KINDS = {
    "list": ("[0]", "[1]", "[{}, {}]", "list({})"),
    "dict": ("['u']", "['v']", "{{'u': {}, 'v': {}}}", "dict({})"),
    "object": (".u", ".v", "Pair({}, {})", "dataclasses.replace({})"),
}
NAMES = ("a", "b", "c")


class Writer:
    """Writes one function, which takes two numbers and an array of three."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.kind = self.random.choice(list(KINDS))
        self.u, self.v, self.made, self.copied = KINDS[self.kind]
        self.depth = 0
        self.in_loop = 0

    def source(self) -> str:
        """Return the module of the function `f`."""
        lines = ["def f(p, q, xs):", "    s = p * 0.0", "    w = q * 0.0 + 2.0", "    acc = []"]
        lines += [f"    {name} = {self.fresh()}" for name in NAMES]
        lines += ["    h = {'x': a, 'y': b}", "    grid = [a, c]", "    other = acc"]
        lines += ["    def peek():", f"        return b{self.u}"]
        for _ in range(self.random.randint(3, 7)):
            lines += [f"    {line}" for line in self.statement()]
        reads = [f"{self.container()}{self.part()}" for _ in range(self.random.randint(2, 6))]
        lines.append(f"    return s, {', '.join(reads)}, len(other)")
        return PRELUDE.format(u=self.u, v=self.v) + "\n".join(lines) + "\n"

    def fresh(self) -> str:
        return self.made.format(*(f"{self.random.randint(1, 9)}.0" for _ in "uv"))

    def container(self) -> str:
        return self.random.choice((*NAMES, *NAMES, "h['x']", "h['y']", "grid[0]", "grid[1]"))

    def part(self) -> str:
        return self.random.choice((self.u, self.v))

    def condition(self) -> str:
        own = ("t",) if self.in_loop else ()
        return f"{self.random.choice(('p', 'q', *own))} > 0"

    def value(self) -> str:
        chosen = self.random.choice
        number = f"{self.random.randint(10, 99)}.0"
        return chosen((number, number, f"{self.container()}{self.part()} + 1.0", "p * 2.0"))

    def statement(self) -> list[str]:
        random = self.random
        simple = [self.bind, self.bind, self.write, self.write, self.choose, self.choose, self.read]
        simple += [self.put, self.helper, self.make, self.copy]
        nested = [self.branch, self.branch, self.loop, self.loop, self.short, self.while_loop]
        if self.depth < 2 and random.random() < 0.45:
            return random.choice(nested)()
        if not self.in_loop and self.depth == 0 and random.random() < 0.08:
            return ["for t in xs:", "    acc.append(t)"]
        return [random.choice(simple)()]

    def block(self) -> list[str]:
        self.depth += 1
        lines = [line for _ in range(self.random.randint(1, 3)) for line in self.statement()]
        self.depth -= 1
        return [f"    {line}" for line in lines]

    def bind(self) -> str:
        return f"{self.random.choice(NAMES)} = {self.container()}"

    def make(self) -> str:
        return f"{self.random.choice(NAMES)} = {self.fresh()}"

    def copy(self) -> str:
        return f"{self.random.choice(NAMES)} = {self.copied.format(self.container())}"

    def put(self) -> str:
        place = self.random.choice(("h['x']", "h['y']", "grid[0]", "grid[1]"))
        return f"{place} = {self.container()}"

    def write(self) -> str:
        return f"{self.container()}{self.part()} = {self.value()}"

    def choose(self) -> str:
        one, other = self.container(), self.container()
        return f"{self.random.choice(NAMES)} = {one} if {self.condition()} else {other}"

    def read(self) -> str:
        what = self.random.choice((f"{self.container()}{self.part()}", "peek()"))
        return f"s = s + {what}"

    def helper(self) -> str:
        one, other, x = self.container(), self.container(), self.random.choice("pq")
        name = self.random.choice(NAMES)
        return self.random.choice(
            (
                f"{name} = pick({one}, {other}, {x})",
                f"{name} = early({one}, {other}, {x})",
                f"bump({one}, {x})",
                f"bump(pick({one}, {other}, {x}), {x})",
                f"s = s + bump_and_read({one}, pick({other}, {one}, {x}), {x})",
                f"s = s + bump_and_read(pick({one}, {other}, {x}), {other}, 3.0)",
            )
        )

    def branch(self) -> list[str]:
        lines = [f"if {self.condition()}:", *self.block()]
        if self.random.random() < 0.4:
            lines += ["else:", *self.block()]
        return lines

    def loop(self) -> list[str]:
        self.in_loop += 1
        lines = ["for t in xs:", *self.block()]
        self.in_loop -= 1
        return lines

    def short(self) -> list[str]:
        return ["for i in range(2):", *self.block()]

    def while_loop(self) -> list[str]:
        return ["while w > 0.0:", "    w = w - 1.0", *self.block()]
