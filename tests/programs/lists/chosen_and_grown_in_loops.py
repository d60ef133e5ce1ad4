"""A list is chosen by an `if` and grows in a loop inside a loop."""

STAGES = ("while_loop", "cond")
CASES = [(0,), (4,), (1,)]


def chosen_and_grown_in_loops(n):
    evens, odds = [], []
    for i in range(n):
        half = evens
        if i % 2:
            half = odds
        for j in range(i):
            half.append(j)
    return evens, odds
