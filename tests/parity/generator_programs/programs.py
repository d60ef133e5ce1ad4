"""Random programs with generators; a seed always gives the same one.

Generators iterate over numbers, lists, tensors, a dataset and one another, with `if`, `break`,
`continue`, `return`, `try` and `yield from`. What they yield is iterated over by loops that may end
early, by builtins, comprehensions and functions of itertools, in one go or bit by bit.
"""

from __future__ import annotations

import random
from collections.abc import Callable

HEAD = """\
import itertools

import runtime as rt

NUMBERS = rt.data.Dataset.from_tensor_slices([4, 0, 3, 1])
"""
CASES = ((4, 2, [3, 1, 2]), (0, 1, [5]), (7, 3, [2, 2, 0, 6]), (1, 0, [1, 4]))
_MOST = 3


class GeneratorProgram:
    """One program: generator functions `g0`, `g1`, ... and `entry(n, m, xs)`.

    Args:
        seed: says which.

    Attributes:
        text: the module.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._count = 0
        self._ends: list[bool] = []
        generators = [self._generator() for _ in range(self._random.randint(1, _MOST))]
        lines = [line for each in generators for line in each]
        self.text = "\n".join([HEAD, *lines, *self._entry()]) + "\n"

    # -- generators ------------------------------------------------------------------------------

    def _generator(self) -> list[str]:
        number = self._count
        ends = self._random.random() > 0.15
        body = self._going_over("n", "yields", 1) if ends else self._endless()
        if self._random.random() < 0.2:
            body = [*body, "    yield n + 50"]
        if self._random.random() < 0.15:
            body = ["    yield -7", *body]
        if self._random.random() < 0.2:
            inside = [f"    {line}" for line in body]
            body = ["    left = 0", "    try:", *inside, "    finally:", "        left = left + 1"]
        self._count += 1
        self._ends.append(ends)
        return ["", "", f"def g{number}(n, m, xs):", "    t = m", *body]

    def _endless(self) -> list[str]:
        step = self._random.choice(("k + 1", "k + m + 1", "k * 2 + 1"))
        return ["    k = 0", "    while True:", "        yield k", f"        k = {step}"]

    def _going_over(self, name: str, does: str, depth: int) -> list[str]:
        """Return a loop, or a `yield from`."""
        indent = "    " * depth
        roll = self._random.random()
        ending = [number for number, ends in enumerate(self._ends) if ends]
        if roll < 0.15:
            what = self._random.choice((f"range({name})", "xs", "[m, 5]", *map(_call, ending)))
            return [f"{indent}yield from {what}"]
        if roll < 0.35:
            return [
                f"{indent}k = 0",
                f"{indent}while k < {self._random.choice((name, 'm', 'n + 1'))}:",
                *self._body("k", depth + 1, may_skip=False),
                f"{indent}    k = k + {self._random.choice(('1', '2'))}",
            ]
        source = self._random.choice(
            (f"range({name})", f"range({name})", "range(m)", "xs", "[3, m, 1]", "NUMBERS")
        )
        if ending and self._random.random() < 0.4:
            source = _call(self._random.choice(ending))
        return [f"{indent}for v in {source}:", *self._body("v", depth + 1)]

    def _body(self, v: str, depth: int, may_skip: bool = True) -> list[str]:
        indent, lines = "    " * depth, list[str]()
        for _ in range(self._random.randint(0, 2)):
            kinds: list[Callable[[], list[str]]] = [
                lambda: [f"{indent}t = (t * 2 + {v}) % 101"],
                lambda: [f"{indent}if {self._test(v)}:", f"{indent}    t = t + 1"],
                lambda: [f"{indent}if {self._test(v)}:", f"{indent}    return"],
                lambda: [f"{indent}if {self._test(v)}:", f"{indent}    break"],
            ]
            if may_skip:
                kinds.append(lambda: [f"{indent}if {self._test(v)}:", f"{indent}    continue"])
            lines += self._random.choice(kinds)()
        return [*lines, *self._yield(v, indent)]

    def _yield(self, v: str, indent: str) -> list[str]:
        value, other = self._value(v), self._value(v)
        roll = self._random.random()
        if roll < 0.5:
            return [f"{indent}yield {value}"]
        if roll < 0.7:
            return [f"{indent}if {self._test(v)}:", f"{indent}    yield {value}"]
        if roll < 0.85:
            test = self._test(v)
            orelse = [f"{indent}else:", f"{indent}    yield {other}"]
            return [f"{indent}if {test}:", f"{indent}    yield {value}", *orelse]
        return [
            f"{indent}try:",
            f"{indent}    if {self._test(v)}:",
            f"{indent}        raise ValueError",
            f"{indent}    yield {value}",
            f"{indent}except ValueError:",
            f"{indent}    yield {other}",
        ]

    def _value(self, v: str) -> str:
        return self._random.choice((v, f"{v} * 2", f"{v} + t", "t", f"{v} - m", f"{v} + n"))

    def _test(self, v: str) -> str:
        tests = (f"{v} > 1", f"{v} % 2 == 0", f"{v} < n", "t > 5", f"{v} == m", "m > 1", "n > 2")
        return self._random.choice(tests)

    # -- consumers of generators ---------------------------------------------------------------

    def _entry(self) -> list[str]:
        lines = ["", "", "def entry(n, m, xs):", "    t, found = 1, []"]
        for _ in range(self._random.randint(1, 3)):
            number = self._random.randrange(self._count)
            lines += self._consumer(number) if self._ends[number] else self._of_endless(number)
        return [*lines, "    return t, found"]

    def _loop(self, target: str, what: str, may_go_on: bool = True) -> list[str]:
        """Return a loop that adds up its items."""
        v, roll = target.split(", ")[-1], self._random.random()
        extra = f" + {target.split(', ')[0]}" if ", " in target else ""
        lines = [f"    for {target} in {what}:"]
        if roll < 0.2 and may_go_on:
            lines += [f"        if {v} % 3 == 1:", "            continue"]
        lines += [f"        t = (t * 3 + {v}{extra}) % 1009"]
        if not may_go_on:
            return [
                *lines,
                f"        if {v} > {self._random.choice(('n', '5', 'm'))}:",
                "            break",
            ]
        if roll > 0.6:
            test = self._random.choice((f"{v} > n", "t > 300", f"{v} == m"))
            lines += [f"        if {test}:", "            break"]
            if roll > 0.85:
                lines += ["    else:", "        t = t + 7"]
        elif roll > 0.5:
            lines += [f"        if {v} > n:", "            return t, found"]
        return lines

    def _of_endless(self, number: int) -> list[str]:
        call = _call(number)
        return self._random.choice(
            (
                lambda: self._loop("v", call, may_go_on=False),
                lambda: self._loop("i, v", f"enumerate({call}, m)", may_go_on=False),
                lambda: self._loop("a, v", f"zip({call}, [4, m, 2])"),
                lambda: [f"    found.append(any(v > n for v in {call}))"],
                lambda: [f"    found += list(itertools.islice({call}, n))"],
                lambda: [f"    found.append(next({call}))"],
                lambda: self._bit_by_bit(call),
            )
        )()

    def _bit_by_bit(self, call: str) -> list[str]:
        limit = self._random.choice(("m", "n", "3"))
        rest = self._random.choice(
            (
                ["    t = t + next(held, -9)"],
                ["    for v in itertools.islice(held, 2):", "        t = t * 2 + v"],
                ["    for a, v in zip([5, 6], held):", "        t = t + a * v"],
            )
        )
        start = [f"    held = {call}"]
        if self._random.random() < 0.3:
            return [*start, "    t = t + next(held, 0)", *rest]
        loop = ["    for v in held:", "        t = t + v", f"        if v > {limit}:"]
        return [*start, *loop, "            break", *rest]

    def _consumer(self, number: int) -> list[str]:
        call, roll = _call(number), self._random.random()
        other = _call(self._random.choice([k for k, ends in enumerate(self._ends) if ends]))
        if roll < 0.35:
            return self._loop("v", call)
        if roll < 0.45:
            pair = self._random.choice(
                (f"enumerate({call})", f"zip({call}, {other})", f"zip(xs, {call})")
            )
            return self._loop("i, v", pair)
        if roll < 0.52:
            return self._bit_by_bit(call)
        whole = self._random.choice(
            (
                f"found += list({call})",
                f"found += [*{call}]",
                f"found.append(sum({call}))",
                f"found.append(max({call}, default=-1))",
                f"found += sorted({call})",
                f"found += [v * 2 for v in {call} if v > 1]",
                f"found.append(sum(v + m for v in {call}))",
                f"found.append(any(v > 4 for v in {call}))",
                f"found.append(all(v > n for v in {call}))",
                f"found.append(any({call}))",
                f"found.append(next({call}, -3))",
                f"found.append(m in {call})",
                f"found += list(zip({call}, {other}))",
                f"found += list(map(lambda v: v - 1, {call}))",
                f"found += list(filter(lambda v: v != 2, {call}))",
                f"found += list(itertools.islice({call}, 1, 3))",
                f"found += list(itertools.chain({call}, [9], {other}))",
                f"found += list(itertools.takewhile(lambda v: v < 4, {call}))",
                f"found.append(len(list({call})))",
            )
        )
        return [f"    {whole}"]


def _call(number: int) -> str:
    return f"g{number}(n, m, xs)"
