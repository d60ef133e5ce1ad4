"""Three loops over one iterator: each goes on where the one before stopped."""

PYTHON_ONLY = "state of an iterator"
CASES = [([1, 2, 3, 4, 5, 6],), ([1],), ([],)]


def one_iterator(xs):
    source = iter(xs)
    first = []
    for v in source:
        first.append(v)
        if v == 2:
            break
    second = next(source, "none")
    return first, second, [v for v in source]
