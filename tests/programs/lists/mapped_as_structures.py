"""Lists that grew as parts of structures, of which a function is given the leaves."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def half_of_even(v):
    return v // 2 if v % 2 == 0 else v


def mapped_as_structures(n):
    left, right, pairs = [], [], []
    for k in range(n):
        left.append(k * 2)
        right.append(k)
        pairs.append((k, {"twice": k * 2}))
    sums = rt.nest.map_structure(lambda v, w: v + w, left, right)
    inside = rt.nest.map_structure(half_of_even, {"left": left, "rest": (right, 5)})
    return sums, inside, rt.nest.map_structure(lambda v: v + 1, pairs)
