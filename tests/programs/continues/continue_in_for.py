"""`continue` skips the rest of one iteration of a `for`."""

STAGES = ("while_loop",)
CASES = [(7,), (1,), (0,)]


def continue_in_for(n):
    odds = 0
    for i in range(n):
        if i % 2 == 0:
            continue
        odds += i
    return odds
