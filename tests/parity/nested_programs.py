"""Random programs of Functions that call Functions, with state, lists, branches and `try`."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

HEAD = """\
import runtime as rt

G = 2
LOG = []
v = rt.Variable(0)


def set_global(value):
    global G
    G = value


def helper(x):
    return x * G + o.scale


def first(value):
    while isinstance(value, (tuple, list, dict)):
        value = value["r"] if isinstance(value, dict) else value[0]
    return value


class Thing:
    def __init__(self):
        self.total = rt.constant(0)
        self.scale = 2
        self.items = []
"""
# The parameters of each kind of function, and how it is called with two values.
KINDS = {
    "tensor": ("x", "{f}({a})"),
    "number": ("x, n", "{f}({a}, {n})"),
    "list": ("l", "{f}([{a}, {b}])"),
    "changed": ("l", "{f}([{a}])"),
    "method": ("x", "o.{f}({a})"),
    "object": ("x, o", "{f}({a}, o)"),
    "closure": ("x", "{f}({a})"),
}
BEGINS = {
    "list": ["x = l[0] + l[1]"],
    "changed": ["l.append(l[0] + 1)", "x = l[-1]"],
    "method": ["o = self"],
    "closure": [
        "y = x + 1",
        "@deco",
        "def g(z):",
        "    return z + y",
        "x = g(x) + g(y)",
    ],
}
RESULTS = ("x", "x * 2", "(x, x + 1)", "[x, 3]", "{'r': x}", "(x, o.scale)", "[x, [x]]")
PLAIN = ("LOG.append(1)", "v.assign_add(x)", "x = x + v", "x = helper(x)", "x = x * 2")
STATE = (
    "o.total = o.total + x",
    "o.scale = o.scale + 1",
    "o.scale = 3",
    "set_global(1)",
    "o.items.append(x)",
    "x = x + (o.items[-1] if len(o.items) > 0 else 0)",
    "x = x + len(LOG)",
)


class Program:
    """One program.

    Attributes:
        keeps_state: whether its functions change more than variables.
        main: the name of the outermost function.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._kinds: list[str] = []
        self.keeps_state = self._random.random() < 0.6
        self._functions = [self._function(at) for at in range(self._random.randrange(1, 4))]
        self._functions.append(self._function(len(self._functions), "tensor"))
        self.main = f"f{len(self._functions) - 1}"

    def source(self) -> str:
        """Return the module's text; it needs a decorator called `deco`."""
        pairs = list(zip(self._kinds, self._functions))
        methods = [line for kind, each in pairs if kind == "method" for line in ("", *each)]
        others = [line for kind, each in pairs if kind != "method" for line in ("", "", *each)]
        inside = [f"    {line}" if line else "" for line in methods]
        return "\n".join([HEAD.rstrip(), *inside, "", "", "o = Thing()", *others, ""])

    def _function(self, at: int, kind: str = "") -> list[str]:
        kind = kind or self._random.choice(list(KINDS))
        parameters = KINDS[kind][0]
        body = [*BEGINS.get(kind, ()), *self._block(at, 6 if kind == "tensor" else 4)]
        body.append(f"return {self._random.choice(RESULTS)}")
        self._kinds.append(kind)
        parameters = f"self, {parameters}" if kind == "method" else parameters
        return ["@deco", f"def f{at}({parameters}):", *(f"    {line}" for line in body)]

    def _block(self, at: int, most: int, depth: int = 0) -> list[str]:
        count = self._random.randrange(1, most + 1)
        return [line for _ in range(count) for line in self._statement(at, depth)]

    def _statement(self, at: int, depth: int) -> Sequence[str]:
        kind = self._random.randrange(12)
        if kind < 4 and at:
            return [f"x = first({self._call(self._random.randrange(at))})"]
        if kind == 4:
            return [self._random.choice(STATE if self.keeps_state else PLAIN)]
        if kind == 5:
            return [self._random.choice(PLAIN)]
        if kind == 6:
            return [f"if x > {self._random.randrange(9, 40)}:", "    raise ValueError('large')"]
        if kind > 8 and depth < 2:
            return list(self._compound(kind, at, depth))
        return [f"x = {self._value()} + {self._value()}"]

    def _compound(self, kind: int, at: int, depth: int) -> Iterator[str]:
        parts = {
            9: (f"if x > {self._random.randrange(-2, 6)}:", "else:"),
            10: ("try:", "except ValueError:"),
            11: (f"for _ in {self._random.choice(['range(2)', 'rt.range(x % 3)'])}:",),
        }[kind]
        for head in parts:
            yield head
            yield from (f"    {line}" for line in self._block(at, 2, depth + 1))

    def _call(self, called: int) -> str:
        form = KINDS[self._kinds[called]][1]
        number = self._random.choice(["1", "2", "G", "o.scale"])
        return form.format(f=f"f{called}", a=self._value(), b=self._value(), n=number)

    def _value(self) -> str:
        options = ("x", "x", "x + 1", "x - 2", "x % 7", "x * G", "x + o.scale", "x + o.total")
        return self._random.choice(options)
