"""A key that the path taken did not make raises when it is read."""

NO_GRAPH = "its error message is in the words of the running Python"
STAGES = ("cond",)
CASES = [(3,), (-3,)]


def missing_key(x):
    table = {}
    if x > 0:
        table["k"] = x
    return table["k"]
