"""A sum that starts as the integer literal zero and adopts the type of its terms."""

STAGES = ("while_loop",)
DIFFERS = {"widened": "the number before the loop joins the floats, even if there are none"}
CASES = [([1.5, 2.5],), ([0.25],), ([],)]


def integer_sum_of_floats(xs):
    total = 0
    for v in xs:
        total += v
    return total
