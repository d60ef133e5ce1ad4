"""A string that is chosen when the graph runs is looked for in one, and looked through."""

import runtime as rt

STAGES = ("cond",)
CASES = [(1,), (-1,), (2,), (0,)]


def begins_with_a_choice(n):
    kind = "tra" if n > 0 else "bus"
    name = rt.strings.join([kind, "m!"])
    if kind in name and "us" in name:
        n += 10
    if "s" in kind or "a" not in kind:
        n += 100
    return n
