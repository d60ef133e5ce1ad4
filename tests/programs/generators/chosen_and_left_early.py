"""Loops leave a generator that a tensor has chosen, as `any` and `next` do."""

STAGES = ("cond", "while_loop")
CASES = [([1, -2, 5, 2], 1), ([1, -2, -3, 8], -1), ([], 1), ([], -1), ([1, 2], 1), ([-1], -1)]


def positive(xs):
    for x in xs:
        if x > 0:
            yield x


def negative(xs):
    for x in xs:
        if x < 0:
            yield -x


def chosen_and_left_early(xs, t):
    first = next(positive(xs) if t > 0 else negative(xs), -7)
    found = any(v > 2 for v in (positive(xs) if t > 0 else negative(xs)))
    total = 0
    for v in positive(xs) if t > 0 else negative(xs):
        if v > 2:
            break
        total = total * 3 + v
    else:
        total = total + 100
    return first, found, total
