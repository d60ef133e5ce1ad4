"""A tensor ends the loop over a generator; another loop, `next` and `sum` continue with it."""

STAGES = ("while_loop", "cond")
CASES = [([1, -2, 3, 4, 5, 6], 2), ([-1], 1), ([], 0), ([5, 6], 0), ([1, 2], 9), ([5, 1, 2, 9], 2)]


def positive(xs):
    for x in xs:
        if x > 0:
            yield x


def continued_after_a_tensor_break(xs, most):
    numbers, total = positive(xs), 0
    for v in numbers:
        if v > most:
            break
        total = total * 3 + v
    following = next(numbers, -1)
    for v in numbers:
        total = total * 5 + v
        if v > most + 2:
            break
    return total, following, sum(numbers)
