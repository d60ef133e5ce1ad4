"""A loop over Python's items that a tensor leaves, and its `else`."""

STAGES = ("cond",)
CASES = [(1, 3), (1, 50), (9, 3)]


def python_loop_with_else(x, limit):
    for k in [1, 2, 3]:
        x = x + k
        if x > limit:
            break
    else:
        return x, 0
    return -x, k
