"""A loop over an iterator ends by an error, and its handler continues with the rest."""

STAGES = ("try_except", "while_loop")
CASES = [([1, 2, 3, 4],), ([],), ([5, 1],), ([1],)]


def iterator_continued_after_an_error(xs):
    items, total = iter(xs), 0
    try:
        for x in items:
            if x > 2:
                raise ValueError(x)
            total += x
    except ValueError:
        total = -total
    return total, next(items, -1)
