"""A helper returns one of two generators, where a tensor says so; builtins and a loop take them."""

STAGES = ("cond", "while_loop")
CASES = [([1, -2, 3], 5), ([1, -2, -3], -1), ([], 5), ([], -1), ([4], 0), ([4], 5)]


def above(xs, least):
    for x in xs:
        if x > least:
            yield x


def negated(xs):
    for x in xs:
        if x < 0:
            yield -x


def some(xs, t):
    if t > 0:
        return above(xs, 0)
    return negated(xs)


def chosen_by_a_helper(xs, t):
    total = sum(some(xs, t))
    for at, v in enumerate(some(xs, t)):
        total = total * 5 + at * v
    return total, [v + 1 for v in some(xs, t)]
