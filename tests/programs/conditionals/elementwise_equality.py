"""`==` and `!=` of vectors compare element by element."""

ARRAYS = True
STAGES = ()
CASES = [([1, 2, 3], [1, 5, 3]), ([4], [4])]


def elementwise_equality(xs, ys):
    return xs == ys, xs != ys, xs == 1
