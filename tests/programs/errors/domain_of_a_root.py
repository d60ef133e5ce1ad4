"""The root of a negative number is a ValueError, which may be caught; so is a logarithm of 0."""

import math

NO_GRAPH = "the words for an unbound name are those of the running Python"
STAGES = ("try_except", "cond")
CASES = [(1.0, -3.0, 2.0), (1.0, 0.0, 1.0), (1.0, 2.0, 1.0)]


def domain_of_a_root(a, b, c):
    try:
        root = math.sqrt(b * b - 4 * a * c)
    except ValueError:
        return 0, 0.0
    if root == 0:
        return 1, math.log(root)
    return 2, (root - b) / (2 * a)
