"""A `for` leaves what `filter` gives of a tensor, and another one goes on with what is left."""

STAGES = ("while_loop",)
CASES = [([1, 2, 3, 4, 5],), ([3],), ([3, 2],), ([1],)]


def filter_left_and_gone_on_with(xs):
    above, total = filter(lambda x: x > 1, xs), 0
    for x in above:
        if x > 2:
            break
    for x in above:
        total = total * 10 + x
    return total
