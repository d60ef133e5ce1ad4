"""The list of the iteration before, changed under another name."""

STAGES = ("while_loop",)
CASES = [(3,), (1,), (0,)]


def kept_under_another_name(n):
    before, now = [0], [1]
    for i in range(n):
        before = now
        now = now + [i]
        before.append(7)
    return before, now
