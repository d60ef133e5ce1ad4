"""A variable that the first iteration sets and the later ones update."""

NO_GRAPH = "its error message is in the words of the running Python"
STAGES = ("while_loop", "cond")
CASES = [(3,), (1,), (0,)]


def set_in_first_iteration(n):
    for i in range(n):
        if i == 0:
            y = 100
        else:
            y = y + i
    return y
