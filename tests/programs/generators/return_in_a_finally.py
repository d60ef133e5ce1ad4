"""A `finally` of a generator that returns hides no refusal of the trace."""

STAGES = ("while_loop",)
CASES = [([1, -2, 3],), ([-1],), ([],)]


def positive(xs):
    try:
        for x in xs:
            if x > 0:
                yield x
    finally:
        return


def return_in_a_finally(xs):
    return sum(positive(xs))
