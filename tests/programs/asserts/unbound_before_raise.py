"""A test of a name that may be unbound comes before the exception it decides about."""

NO_GRAPH = "the words for an unbound name are those of the running Python"
STAGES = ("cond",)
ALWAYS = {"if depth > 3": "where depth is bound it is five"}
CASES = [(0,), (3,)]


def unbound_before_raise(n):
    if n > 1:
        depth = 5
    if depth > 3 or n == 7:
        raise KeyError("too deep")
    return n
