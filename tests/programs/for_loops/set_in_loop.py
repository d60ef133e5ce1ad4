"""A variable first set in a loop and used after it, where the loop ran or not."""

NO_GRAPH = "its error message is in the words of the running Python"
STAGES = ("while_loop",)
CASES = [(3,), (1,), (0,)]


def set_in_loop(n):
    for i in range(n):
        square = i * i
    return square + 1
