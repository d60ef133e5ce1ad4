"""Sequence patterns look into a list of which only the run knows how long it is."""

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (2,), (3,), (4,)]


def described(items):
    match items:
        case []:
            return 0
        case [(only, _)]:
            return only
        case [(1, first), *between, (last, _)] if last > 2:
            return first * 100 + len(between) * 10 + last
        case [_, *rest]:
            return -len(rest)


def list_that_grew(n):
    pairs, stack, done = [], [], 0
    for i in range(n):
        pairs.append((i + 1, i * i))
        stack.append(i + 2)
    while done >= 0:
        match stack:
            case [*rest, left, right] if left < right:
                stack, done = [*rest, left * right], done + 1
            case _:
                break
    return described(pairs), stack, done
