"""A seeded generator of small programs out of every statement and jump there is."""

from __future__ import annotations

import random

NAMES = ("a", "b", "c")
_INDENT = "    "


class Programs:
    """Generates the text of functions `f(a, n)`; the same seed always gives the same program.

    >>> Programs(1).function() == Programs(1).function()
    True
    """

    def __init__(self, seed: int, depth: int = 4) -> None:
        self._random = random.Random(seed)
        self._depth = depth
        self._loops = 0

    def function(self) -> str:
        """Return a function's text. Every loop ends: a `while` counts in a variable of its own."""
        start = self._random.choice(([], ["b = 1"], ["b = c = 1"], ["b = c = 1"]))
        body = [*start, *self._block(self._depth, in_loop=False, in_finally=False)]
        return "\n".join(["def f(a, n):", *(_INDENT + line for line in body)])

    def _block(self, depth: int, in_loop: bool, in_finally: bool) -> list[str]:
        count = self._random.choice((1, 1, 2, 2, 3))
        return [line for _ in range(count) for line in self._statement(depth, in_loop, in_finally)]

    def _statement(self, depth: int, in_loop: bool, in_finally: bool) -> list[str]:
        if depth == 0 or self._random.random() < 0.35:
            return self._simple(in_loop)
        kinds = (self._if, self._if, self._for, self._while, self._try, self._with, self._match)
        return self._random.choice(kinds)(depth - 1, in_loop, in_finally)

    def _simple(self, in_loop: bool) -> list[str]:
        name, value = self._random.choice(NAMES), self._value()
        choices = [
            f"{name} = {value}",
            f"{name} = t({value})",
            f"{name} += {value}",
            f"t({value})",
            f"t({name})",
            f"if t({self._test()}): return {value}",
            f"return t({value})",
            "raise Boom",
            f"del {name}",
            f"o.v = {value}",
            f"o.v += {value}",
            f"{name} = {value} if {self._test()} else {self._value()}",
            "pass",
        ]
        weights = [6, 6, 3, 3, 6, 3, 2, 1, 1, 1, 1, 2, 1]
        if in_loop:
            choices += [
                "break",
                "continue",
                f"if {self._test()}: break",
                f"if {self._test()}: continue",
            ]
            weights += [2, 2, 4, 4]
        return [self._random.choices(choices, weights)[0]]

    def _value(self) -> str:
        return self._random.choice((*NAMES, "n", "1", "2", "7", "a + 1", "n - 1", "o.v"))

    def _test(self) -> str:
        return self._random.choice(
            (
                "a",
                "n > 1",
                "a < n",
                "n % 2",
                "a == 2",
                "not a",
                "a and n",
                "a > n or n",
                "0 < a < n",
            )
        )

    def _indented(self, *args: bool, depth: int) -> list[str]:
        return [_INDENT + line for line in self._block(depth, *args)]

    def _if(self, depth: int, in_loop: bool, in_finally: bool) -> list[str]:
        lines = [f"if t({self._test()}):", *self._indented(in_loop, in_finally, depth=depth)]
        if self._random.random() < 0.5:
            lines += ["else:", *self._indented(in_loop, in_finally, depth=depth)]
        return lines

    def _for(self, depth: int, in_loop: bool, in_finally: bool) -> list[str]:
        target = self._random.choice(("i", "a", "b", "o.v"))
        size = self._random.choice(("2", "3", "n"))
        lines = [f"for {target} in range({size}):", *self._indented(True, in_finally, depth=depth)]
        return lines + self._else(depth, in_loop, in_finally)

    def _while(self, depth: int, in_loop: bool, in_finally: bool) -> list[str]:
        self._loops += 1
        counter = f"k{self._loops}"
        test = self._random.choice((f"{counter} < 3", f"{counter} < 4 and t({self._test()})"))
        lines = [f"{counter} = 0", f"while {test}:", f"{_INDENT}{counter} += 1"]
        lines += self._indented(True, in_finally, depth=depth)
        return lines + self._else(depth, in_loop, in_finally)

    def _else(self, depth: int, in_loop: bool, in_finally: bool) -> list[str]:
        if self._random.random() < 0.7:
            return []
        return ["else:", *self._indented(in_loop, in_finally, depth=depth)]

    def _with(self, depth: int, in_loop: bool, in_finally: bool) -> list[str]:
        items = self._random.choice(
            (
                "cm()",
                "swallow()",
                "failing()",
                "swallow(), failing()",
                "cm() as b",
                "failing(), cm()",
            )
        )
        return [f"with {items}:", *self._indented(in_loop, in_finally, depth=depth)]

    def _try(self, depth: int, in_loop: bool, in_finally: bool) -> list[str]:
        lines = ["try:", *self._indented(in_loop, in_finally, depth=depth)]
        has_handler = self._random.random() < 0.7
        if has_handler:
            kind = self._random.choice(("Boom", "KeyError", "Exception as c", "Exception"))
            lines += [f"except {kind}:", *self._indented(in_loop, in_finally, depth=depth)]
            if self._random.random() < 0.4:
                lines += ["else:", *self._indented(in_loop, in_finally, depth=depth)]
        if not has_handler or self._random.random() < 0.4:
            lines += ["finally:", *self._indented(in_loop, True, depth=depth)]
        return lines

    def _match(self, depth: int, in_loop: bool, in_finally: bool) -> list[str]:
        lines = [f"match t({self._value()}):", f"{_INDENT}case 1:"]
        lines += [_INDENT + line for line in self._indented(in_loop, in_finally, depth=depth)]
        lines += [f"{_INDENT}case b if n > 1:"]
        lines += [_INDENT + line for line in self._indented(in_loop, in_finally, depth=depth)]
        return lines
