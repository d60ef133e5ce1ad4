"""Two generators are merged: `next` takes from the one whose item is smaller."""

STAGES = ("while_loop", "cond")
CASES = [([1, -2, 3, 7], [2, 4]), ([-1], [5]), ([3], []), ([], [-2, -3])]


def positive(xs):
    for x in xs:
        if x > 0:
            yield x


def merged(one, other):
    v, w = next(one, None), next(other, None)
    while v is not None or w is not None:
        if w is None or (v is not None and v < w):
            yield v
            v = next(one, None)
        else:
            yield w
            w = next(other, None)


def merged_by_next(xs, ys):
    total = 0
    for v in merged(positive(xs), positive(ys)):
        total = total * 10 + v
    return total
