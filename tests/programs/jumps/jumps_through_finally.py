"""`return`, `continue` and `break` in a `try` in a staged loop, past its `finally`."""

STAGES = ("cond", "while_loop")
CASES = [([1, 0, 2], 5), ([1, 9, 0], 5), ([1, -1, 9], 5), ([], 5), ([1], 5)]


def jumps_through_finally(xs, limit):
    n = 0
    for v in xs:
        try:
            if v > limit:
                return n
            if v == 0:
                continue
            if v < 0:
                break
            n += v
        finally:
            n += 100
    return -n
