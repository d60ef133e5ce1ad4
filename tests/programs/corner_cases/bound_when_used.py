"""A variable bound on one path is an error only on the paths that use it unbound."""

STAGES = ("cond",)
NO_GRAPH = "the words for an unbound name are those of the running Python"
CASES = [(True, True), (True, False), (False, False), (False, True)]


def bound_when_used(choose, use):
    if choose:
        y = 1
    if use:
        return y
    return 0
