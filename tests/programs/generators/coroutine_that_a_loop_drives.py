"""A coroutine for `send` is driven by a loop, which sends nothing, until a tensor ends it."""

STAGES = ("while_loop",)
ALWAYS = {
    "for v in doubling(n):": "it yields at once",
    "if told is not None:": "a loop sends nothing",
}
CASES = [(3, 50), (9, 10), (0, 0), (60, 50)]


def doubling(n):
    while True:
        told = yield n
        if told is not None:
            n = told
        n = 2 * n + 1


def coroutine_that_a_loop_drives(n, most):
    total = 0
    for v in doubling(n):
        if v > most:
            break
        total = total + v
    return total
