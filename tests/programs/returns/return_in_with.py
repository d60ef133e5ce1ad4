"""A `return` inside `with` inside a loop; the context is entered while tracing."""

import contextlib

STAGES = ("while_loop",)
CASES = [([1, 7, 9], 5), ([1, 2], 5), ([], 5), ([1], 5)]


def return_in_with(xs, limit):
    for v in xs:
        with contextlib.nullcontext():
            if v > limit:
                return v
    return -1
