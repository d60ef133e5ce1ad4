"""An index that is a Python number at first picks out of lists of Python's as any other."""

STAGES = ("while_loop", "cond")
CASES = [(3, 2), (1, 5), (0, 9)]


def index_that_began_as_a_number(n, limit):
    weights = [9, 8, 3, 9]
    i = 0
    while i < n and weights[i] > limit:
        i += 1
    tape, place = [0, 1, 0, 1, 1], 0
    for _ in range(n):
        if tape[place] == 1:
            tape[place], place = 0, place + 1
        else:
            tape[place], place = 1, place + 2
        if place > 4:
            place = 0
    return i, weights[i:], tape, place
