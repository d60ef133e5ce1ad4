"""A `for` over `filter`: its body runs in the iterations whose item is kept."""

STAGES = ("cond", "while_loop")
CASES = [([3, -1, 4, -1, 5],), ([-1],), ([2, 2],), ([3],)]


def filter_then_sum(xs):
    total, count = 0, 0
    for x in filter(lambda x: x > 0, xs):
        total += x
        count += 1
    return total, count
