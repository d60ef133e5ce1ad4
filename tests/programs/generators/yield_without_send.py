"""The value of a `yield` is None where a loop takes the item, and nothing is sent."""

STAGES = ("while_loop", "cond")
ALWAYS = {
    "step = step + 1 if new": "nothing is sent",
    "if told:": "nothing is sent",
    "for v in answered(xs):": "the number of steps is always there",
}
CASES = [([1, -2, 3],), ([-1],), ([],)]


def stepping(xs):
    step = 1
    for x in xs:
        if x > 0:
            new = yield x * step
            step = step + 1 if new is None else new
    return step


def answered(xs):
    steps = yield from stepping(xs)
    told = yield steps
    if told:
        yield told


def yield_without_send(xs):
    total = 0
    for v in answered(xs):
        total = total * 3 + v
    return total, list(answered(xs))
