"""`next` of an iterator with nothing left raises."""

STAGES = ()
CASES = [([4, 5],), ([4],)]


def next_past_the_end(xs):
    items = iter(xs)
    first = next(items)
    return first - next(items)
