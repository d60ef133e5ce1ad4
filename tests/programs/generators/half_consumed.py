"""An endless generator of which only the first values are taken, by hand and by `zip`."""

STAGES = ("cond", "cond", "cond")
ALWAYS = {"while True:": "it is endless"}
CASES = [(1,), (12,)]


def collatz(n):
    while True:
        yield n
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1


def half_consumed(n):
    numbers = collatz(n)
    total = next(numbers)
    for factor, value in zip((10, 100, 1000), numbers):
        total = total + factor * value
    return total
