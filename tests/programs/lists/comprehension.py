"""A comprehension over Python values with a conditional expression on a tensor."""

STAGES = ("cond",)
CASES = [(4,), (-4,)]


def comprehension(x):
    parts = [x * factor if x > 0 else factor for factor in (1, 2, 3) if factor != 2]
    return parts, {name: x + 1 for name in ("a", "b")}
