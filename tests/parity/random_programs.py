"""A seeded generator of integer functions that mean the same on Python values and tensors.

    def f(a, n, xs, k):     a and n numbers, xs three numbers, k a Python number

Every loop ends, every number stays small, and every `return` gives a triple of integers, so that a
function can be staged whatever path it takes.
"""

from __future__ import annotations

import random

INDENT = "    "
NAMES = ("a", "b", "c", "d")
TARGETS = (*NAMES, *NAMES, "t['e']")
HELPERS = """\
def g(v, limit=4):
    if v > limit:
        return limit
    for i in range(v):
        if i == 2:
            return i * 10
    return v + 1

"""


class RandomProgram:
    """One function; the same seed always gives the same text.

    >>> RandomProgram(3).text == RandomProgram(3).text
    True
    """

    def __init__(self, seed: int, depth: int = 3) -> None:
        self._random = random.Random(seed)
        self._counters = 0
        body = [*self._start(), *self._block(depth, False), "return a, b, c"]
        self.text = "\n".join([HELPERS, "def f(a, n, xs, k):", *(INDENT + s for s in body)]) + "\n"

    def _start(self) -> list[str]:
        # In half of the programs `d` is bound on one path only: using it may raise.
        bound = self._random.choice(("d = 3", "if n > 1: d = 5"))
        return ["b, c = 0, n", bound, "t = {'e': b}"]

    def _block(self, depth: int, in_loop: bool) -> list[str]:
        count = self._random.choice((1, 2, 2, 3))
        return [line for _ in range(count) for line in self._statement(depth, in_loop)]

    def _statement(self, depth: int, in_loop: bool) -> list[str]:
        if depth == 0 or self._random.random() < 0.3:
            return [self._simple(in_loop)]
        kinds = (self._if, self._if, self._for, self._while)
        return self._random.choice(kinds)(depth - 1, in_loop)

    def _simple(self, in_loop: bool) -> str:
        name = self._random.choice(TARGETS)
        choices = [
            f"{name} = g({self._value()})",
            f"{name} = ({self._value()} + {self._value()}) % 50",
            f"{name} = ({self._value()} * {self._value()}) % 50",
            f"{name} = {self._value()}",
            f"{name} = {self._value()} if {self._test()} else {self._value()}",
            f"if {self._test()}: return {self._value()}, {self._value()}, 1",
        ]
        if in_loop:
            choices += ["break", "continue"]
            choices += [f"if {self._test()}: {jump}" for jump in ("break", "continue")]
        return self._random.choice(choices)

    def _value(self) -> str:
        others = ("n", "k", "1", "7", "xs[0]", "xs[n % 3]", "t['e']")
        return self._random.choice((*NAMES[:3], *NAMES, *others))

    def _test(self) -> str:
        left, right = self._value(), self._value()
        choices = (
            f"{left} < {right}",
            f"{left} % 2 == 0",
            f"{left} > 3 and {right} > 5",
            f"{left} > 3 or {right} == n",
            f"not {left} == {right}",
            f"0 < {left} <= {right}",
        )
        return self._random.choice(choices)

    def _indented(self, depth: int, in_loop: bool) -> list[str]:
        return [INDENT + line for line in self._block(depth, in_loop)]

    def _if(self, depth: int, in_loop: bool) -> list[str]:
        lines = [f"if {self._test()}:", *self._indented(depth, in_loop)]
        if self._random.random() < 0.3:
            lines += [f"elif {self._test()}:", *self._indented(depth, in_loop)]
        if self._random.random() < 0.5:
            lines += ["else:", *self._indented(depth, in_loop)]
        return lines

    def _for(self, depth: int, in_loop: bool) -> list[str]:
        target = self._random.choice(("i", "b", "d"))
        source = self._random.choice(
            ("range(n)", "range(a % 4)", "xs", "range(k)", "range(n, 0, -1)")
        )
        return [f"for {target} in {source}:", *self._indented(depth, True)]

    def _while(self, depth: int, in_loop: bool) -> list[str]:
        self._counters += 1
        counter = f"w{self._counters}"
        limit = self._random.choice(("n", "k", "3", "a % 5"))
        test = f"{counter} < {limit}"
        if self._random.random() < 0.4:
            test += f" and ({self._test()})"
        head = [f"{counter} = 0", f"while {test}:", f"{INDENT}{counter} += 1"]
        return head + self._indented(depth, True)
