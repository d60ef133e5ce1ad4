"""`sorted` of a vector and of pairs by a key that is a tensor: an order the graph finds."""

STAGES = ("while_loop",)
CASES = [([3, 1, 2],), ([1, 1, 0],)]


def sorted_by_key(xs):
    down = sorted(xs, key=lambda x: -x)
    pairs = sorted([(xs[0], 10), (xs[1], 20), (xs[2], 30)], key=lambda pair: pair[0])
    return down, [second for first, second in pairs], len(sorted(xs))
