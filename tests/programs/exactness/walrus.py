"""Assignment expressions in tests of `if` and `while`, and in arguments."""

PYTHON_ONLY = "assignment expressions are left to Python"
CASES = [([3, 1, 0, 5],), ([],)]


def walrus(xs):
    total = 0
    position = -1
    while (position := position + 1) < len(xs) and (v := xs[position]):
        total += v
    if (n := len(xs)) > 2:
        total *= n
    return total, position, max(n, m := n + 1), m
