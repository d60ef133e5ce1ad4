"""A `raise` inside a loop, of the user's own class, after some iterations have gone well."""

STAGES = ("while_loop",)
CASES = [([1, 2, 3],), ([1, -2, 3],), ([],), ([1],)]


class Negative(ValueError):
    pass


def raise_in_loop(xs):
    total = 0
    for v in xs:
        if v < 0:
            raise Negative("element")
        total += v
    return total
