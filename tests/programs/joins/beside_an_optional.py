"""A tensor compared with an optional value, as where runs of equal items are counted."""

STAGES = ("while_loop",)
CASES = [([1, 1, 2, 2, 2],), ([3],), ([1, 2, 1],), ([],)]


def beside_an_optional(xs):
    previous, repeated, runs = None, 0, 0
    for x in xs:
        if x == previous:
            repeated += 1
        if x != previous:
            runs += 1
        previous = x
    return repeated, runs, xs[0] == previous
