"""`sorted` of a tensor, with a key and backwards, and `reversed`."""

STAGES = ("while_loop",)
CASES = [([3, -5, 4],), ([7],)]


def sorted_elements(xs):
    up = sorted(xs)
    by_size = sorted(xs, key=lambda v: abs(v), reverse=True)
    turned = list(reversed(xs))
    return up[0], up[-1], by_size[0], turned[0], len(up)
