"""A tuple that begins with `None`."""

STAGES = ("while_loop", "cond")
CASES = [([1.0, 2.0, 3.0],), ([],), ([1.0],), ([1.0, 2.0, 3.0, 1.0, 2.0, 3.0],)]


def none_in_a_tuple(xs):
    best = (None, 0.0)
    for x in xs:
        if best[0] is None or x > best[1]:
            best = (x * 2, x)
    return best
