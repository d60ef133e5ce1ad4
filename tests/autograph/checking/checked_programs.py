"""Functions to check: the tests plant a mistake in one mode of running them."""

import sys
from collections import namedtuple
from dataclasses import dataclass

import runtime as rt

TOTAL = [0]
COUNT = 0


class Counter:
    made = 0

    def __init__(self, start):
        self.value = start

    def add(self, x):
        self.value = self.value + x
        Counter.made += 1
        return self.value


def counting(n):
    steps = 0
    while n > 0:
        n = n - 1
        steps += 2
        if steps > 5:
            steps = steps * 2
    total = steps + n
    return total


def branching(x):
    if x > 3:
        y = x * 2
    else:
        y = -x
    z = y + 1
    return z


def helper(a):
    b = a * 3
    return b


def calling(x):
    y = x + 1
    z = helper(y)
    return z - 1


def returning(x):
    return x * 2


def perhaps(x):
    if x > 0:
        late = x * 5
    if x > 1:
        x = late + 1
    return x


def appending(xs, x):
    xs.append(x)
    return len(xs)


def global_writing(x):
    global COUNT
    COUNT += 1
    TOTAL.append(x)
    return COUNT


def raising(x):
    y = x * 2
    if y > 4:
        raise ValueError("too large")
    return y


def printing(x):
    rt.print("x is", x)
    return x


def writing(x):
    sys.stdout.write(type(x).__name__)
    return x


def factorial(n):
    if n <= 1:
        return 1
    m = factorial(n - 1)
    return n * m


def matching(x):
    match x:
        case 1:
            y = 10
        case _:
            y = x * 2
    return y


def in_structures(x):
    table = {"a": x, "b": [x, x + 1]}
    while table["a"] < 10:
        table["a"] = table["a"] * 2
        table["b"][0] = table["b"][0] + table["a"]
    return table["b"][0]


def largest(xs):
    best = None
    for v in xs:
        if best is None or v > best:
            best = v * 1
    if best is None:
        return 0
    return best


def trying(x):
    y = 0
    try:
        y = x * 3
        if y > 2:
            raise ValueError("too large")
    except ValueError:
        y = y * 5
    return y


def printing_on_one_path(x):
    print("one")
    y = x + 1
    z = y * 2
    if x is None or type(x).__name__ == "EagerTensor":
        print("two")
    return y + z


def item_of(xs, i):
    return xs[i]


def missing(x):
    return x.nope


Pair = namedtuple("Pair", ["first", "second"])


@dataclass
class Point:
    x: int


def in_named_parts(x):
    half = x / 2 if x > 3 else x
    return Pair(x, [Point(half)]), "large" if x > 3 else "small"


log: list[str] = []


def logging(x):
    log.append("called")
    return x + 1


def first_replaced(x):
    x[0] = 5.0
    return x
