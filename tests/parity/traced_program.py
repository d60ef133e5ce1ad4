"""A program for debuggers and profilers: `program(5)` runs most statements."""

from __future__ import annotations

import io
from typing import Any


class Box:
    def __init__(self, value: int) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Box({self.value})"

    def __add__(self, other: int) -> Box:
        if other:
            return Box(self.value + 1)
        return self

    @property
    def is_big(self) -> bool:
        return self.value > 1


def helper(a: int, b: int = 2) -> list[int]:
    found = [x * b for x in range(a) if x]
    return found


def counted(n: int) -> Any:
    for i in range(n):
        if i == 1:
            continue
        yield i


def factorial(n: int) -> int:
    if n < 2:
        return 1
    return n * factorial(n - 1)


def program(n: int) -> int:
    total = 0
    for i in range(n):
        if i == 2:
            continue
        elif i > 3 and n:
            break
        else:
            total += i
    else:
        total = -1
    while total < 5:
        total += 1
    try:
        helper(total)[99]
    except IndexError:
        total += 1
    finally:
        total -= 1
    box = Box(total) + 3
    if box.is_big and not n > 9:
        total += factorial(3)
    for value in counted(3):
        total += value
    assert total, (
        "nothing"
    )  # fmt: skip
    key = lambda q: q + 1
    total += max([1, 2], key=key)

    def nested(z: int) -> int:
        if z:
            return nested(z - 1)
        return (
            1
            if z
            else 2
        )  # fmt: skip

    nested(2)
    while True:
        total -= 1
        if total < 10 or total == 12:
            break
    with io.StringIO() as file:
        if file:
            return total
    return 0
