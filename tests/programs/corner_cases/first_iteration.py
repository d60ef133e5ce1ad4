"""`None` stands for "nothing yet" in the first iteration of two loops."""

PYTHON_ONLY = "a variable that is None and then a number is refused on tensors"
CASES = [([-5, -2, -7],), ([3],), ([],)]


def first_iteration(xs):
    total = None
    best = None
    for i, v in enumerate(xs):
        total = (i + 1) * 100 if total is None else total + i
        if best is None or v > best:
            best = v
    return total, best
