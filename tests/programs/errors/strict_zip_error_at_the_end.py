"""`zip(..., strict=True)` raises after the last common items; a handler sees their effects."""

STAGES = ("while_loop", "try_except")
CASES = [([1, 2, 3], [4, 5, 6]), ([1, 2, 3], [4, 5]), ([1], [4, 5]), ([], [])]


def strict_zip_error_at_the_end(xs, ys):
    total, pairs = 0, []
    try:
        for x, y in zip(xs, ys, strict=True):
            total += x * y
            pairs.append(x - y)
    except ValueError:
        return total, pairs, False
    return total, pairs, True
