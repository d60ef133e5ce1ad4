"""A generator that a loop leaves by a Python condition continues where it was."""

import itertools

STAGES = ()
ALWAYS = {
    "while True:": "it is endless",
    "for v in numbers:": "as above",
    "for v in itertools": "two are taken",
}
CASES = [(5,), (0,)]


def counting():
    k = 0
    while True:
        yield k
        k += 1


def continued_after_a_break(n):
    numbers, total = counting(), n
    for v in numbers:
        if v > 2:
            break
        total = total * 2 + v
    for v in itertools.islice(numbers, 2):
        total = total * 2 + v
    for a, b in zip([1, 2], numbers):
        total = total * 2 + a * b
    return total + next(numbers) + numbers.send(None)
