"""An iterator is consumed in parts: `next`, a loop that breaks, a loop over the rest."""

STAGES = ("cond", "while_loop")
CASES = [([1, 2, -3, 4, 5],), ([7, -7],), ([1, 2],), ([1],), ([1, -2, 3],)]


def iterator_in_parts(xs):
    items = iter(xs)
    first, before, after = next(items), 0, 0
    for x in items:
        if x < 0:
            break
        before += x
    for x in items:
        after += x
    return first, before, after, next(items, -1)
