"""Helpers take some of the items of a generator, one after the other."""

STAGES = ("while_loop",)
CASES = [([1, -2, 3, 4, 5, 6], 2), ([-1], 1), ([], 1), ([5, 6], 1), ([1, 2], 9), ([1, 2, 3, 5], 1)]


def positive(xs):
    for x in xs:
        if x > 0:
            yield x


def some(numbers, count):
    taken = []
    for v in numbers:
        taken.append(v)
        if len(taken) >= count:
            break
    return sum(taken)


def taken_by_several_helpers(xs, count):
    numbers = positive(xs)
    return some(numbers, count), some(numbers, 1), any(v > 4 for v in numbers), list(numbers)
