"""A context manager around the body of a loop, entered by it, left by `continue` and `break`."""

import contextlib

STAGES = ("while_loop", "cond")
CASES = [([1, 2, 9, 4],), ([2],), ([8, 1],), ([],)]


def managers_in_loop(xs):
    total = 0
    for v in xs:
        with contextlib.nullcontext(v * 10) as scaled, contextlib.suppress(KeyError):
            if v % 2 == 0:
                total += scaled
                continue
            if v > 5:
                break
            total += v
    return total
