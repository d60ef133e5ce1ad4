"""A variable deleted in one branch or in both is unbound where it was deleted only."""

PYTHON_ONLY = "an unbound variable"
CASES = [(0,), (1,), (2,), (3,)]


def deleted_in_branches(x):
    a = b = "bound"
    if x % 2:
        del a
    else:
        a = "kept"
    if x > 1:
        del b
    else:
        del b
        b = "again"
    seen = []
    for read in (lambda: a, lambda: b):
        try:
            seen.append(read())
        except NameError as error:
            seen.append(type(error).__name__)
    return seen
