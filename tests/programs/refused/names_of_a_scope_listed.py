"""`dir()` lists the variables of a function, of which one is bound on one path only."""

REFUSED = "StagingError"
CASES = [(1,), (-1,)]
NAMES = "'y'"


def names_of_a_scope_listed(x):
    if x > 0:
        y = x
    return len(dir())
