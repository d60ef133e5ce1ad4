"""A generator that a loop leaves where Python says so goes on where it was, for anybody."""

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


def gone_on_with_after_a_break(n):
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
