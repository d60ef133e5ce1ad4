"""Several `yield`s in one expression: the operands before them are evaluated before."""

STAGES = ("while_loop", "cond")
ALWAYS = {"for v in pairs(xs, seen):": "the last two items are always there"}
CASES = [([1, -2, 3],), ([-1],), ([],)]


def count(seen, *values):
    seen.append(len(values))
    return len(values)


def pairs(xs, seen):
    total = 0
    for x in xs:
        if x > 0:
            total += count(seen, (yield x), (yield 2 * x), x)
            total += (yield -total) or 10
    yield total
    return [total, (yield 7)]


def yields_as_operands(xs):
    seen, total = [], 0
    for v in pairs(xs, seen):
        seen.append(v)
        total = total * 3 + v
    return total, seen
