"""`next` of an iterator over a tensor, with a default where nothing is left."""

STAGES = ()
CASES = [([4, 5],), ([4],)]


def next_with_default(xs):
    items = iter(xs)
    first = next(items)
    second = next(items, -1)
    return first, second, next(items, -2)
