"""`list`, `tuple`, `len` of tensors and of the containers made of them."""

STAGES = ()
SIZED = "a tuple is as long as the tensor"
CASES = [([3, -1, 4],), ([7],)]


def lists_and_tuples(xs):
    items = list(xs)
    items.append(5)
    pair = tuple(xs)
    return items[0], len(items), pair[-1], len(pair), 1 <= len(xs) < 3, len([xs, xs])
