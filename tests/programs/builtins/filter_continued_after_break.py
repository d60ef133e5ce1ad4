"""A `break` leaves a `for` over a filtered tensor; a second `for` continues with the rest."""

STAGES = ("while_loop",)
CASES = [([1, 2, 3, 4, 5],), ([3],), ([3, 2],), ([1],)]


def filter_continued_after_break(xs):
    above, total = filter(lambda x: x > 1, xs), 0
    for x in above:
        if x > 2:
            break
    for x in above:
        total = total * 10 + x
    return total
