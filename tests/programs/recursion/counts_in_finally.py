"""A recursive function that counts in `finally`, called in a `try` that catches its exception."""

STAGES = ("recursion", "try_except")
CASES = [(2,), (0,), (5,)]


def counts_in_finally(n):
    count = 0

    def down(k):
        nonlocal count
        if k > 3:
            raise ValueError("too big")
        if k == 0:
            return 0
        try:
            return down(k - 1)
        finally:
            count += 1

    try:
        result = down(n)
    except ValueError:
        result = -1
    return result, count
