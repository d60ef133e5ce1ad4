"""The loop variable after the loop: its last value, or the earlier one when nothing ran."""

STAGES = ("while_loop",)
CASES = [(4,), (1,), (0,)]


def variable_after_loop(n):
    i = -1
    for i in range(n):
        pass
    return i
