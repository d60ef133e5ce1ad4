"""Strings tested one by one in a loop, by their contents."""

import runtime as rt

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (2,), (5,)]


def counted_names(count):
    with_letter = 0
    for name in rt.constant(["ada", "bob", "eve", "x a", "A"])[:count]:
        if "a" in name and name not in ("ada", "eve"):
            with_letter += 1
    return with_letter
