"""A second loop goes on where the first one, over the same iterator, stopped."""

STAGES = ("while_loop",)
CASES = [([1, 2, 9, 3, 4],), ([9],), ([1, 2],), ([],), ([9, 9],)]


def iterator_over_tensor_resumed(xs):
    items = iter(xs)
    before, after = 0, 0
    for v in items:
        if v > 5:
            break
        before += v
    for v in items:
        after += v
    return before, after
