"""Two names for one list: a change through one is seen through the other."""

PYTHON_ONLY = "identity of mutable containers"
CASES = [([1, 2], 5), ([], -5)]


def aliases(xs, v):
    ys = xs
    if v > 0:
        ys += [v]
    else:
        ys.append(-v)
    zs = xs
    zs = zs + [0]
    return xs, ys is xs, zs is xs
