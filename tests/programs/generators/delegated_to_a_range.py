"""Generators that delegate to iterables of a length that a tensor says, taken item by item."""

STAGES = ("while_loop", "cond")
CASES = [(4, [3, 1, 2]), (0, []), (1, [5]), (6, [1])]


def below(n):
    yield from range(n)


def rows(xs):
    yield from xs
    yield from [x * 2 for x in xs if x > 1]


def above(n):
    for v in below(n):
        if v > 2:
            yield v * n


def delegated_to_a_range(n, xs):
    found, total = [7], 0
    found.append(max(below(n), default=-1))
    found.append(max(rows(xs), default=-2))
    for v in above(n):
        total = total * 3 + v
    for i, v in enumerate(rows(xs)):
        total = total + i * v
    return found, total, list(zip(below(n), [1, 2]))
