"""Yields under conditions, in loops and between them, whose order a run decides."""

STAGES = ("cond", "while_loop")
CASES = [(5,), (0,), (2,), (1,)]
ALWAYS = {"for v in around(n):": "four times and more", "while k < 20:": "it begins far below"}


def around(n):
    yield n
    if n > 2:
        yield n + 1
        k = n
    else:
        yield n - 1
        yield 0
        k = 1
    while k < 20:
        k = k * 2 + 1
        if k % 3 == 0:
            yield k
    yield k


def yields_under_tensor_conditions(n):
    digits = 0
    for v in around(n):
        digits = (digits * 10 + v) % 9973
    return digits, list(around(n))
