"""Nested generators have variables of the same name, each its own."""

STAGES = ("cond", "while_loop")
CASES = [(5, 2), (9, 7), (1, 3), (0, 1)]


def doubled(n):
    for k in range(n):
        yield k * 2


def up_to_four(items):
    count = 0
    for item in items:
        if count > 4:
            return
        yield item
        count = count + 1


def limited(items, most):
    count = 0
    for item in items:
        yield item
        count = count + 1
        if count >= most:
            return


def two_counters_of_one_name(n, most):
    return list(limited(up_to_four(doubled(n)), most))
