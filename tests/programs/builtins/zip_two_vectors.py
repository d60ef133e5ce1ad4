"""`zip` and `enumerate`, one in the other: a loop over an index."""

STAGES = ("while_loop",)
CASES = [([1, 2, 3], [4, 5, 6]), ([7], [8]), ([], [4, 5, 6])]


def zip_two_vectors(xs, ys):
    total = 0
    for place, (x, y) in enumerate(zip(xs, ys), 1):
        total += place * x * y
    return total
