"""The largest of nothing is Python's own error, with Python's words, when the graph runs."""

STAGES = ("while_loop",)
NO_GRAPH = "its error message is in the words of the running Python"
CASES = [([1, 5, 2], 1), ([1, 5, 2], 9)]


def empty_extreme(xs, low):
    return max(list(filter(lambda x: x > low, xs)))
