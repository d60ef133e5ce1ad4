"""A `yield` in the condition of an `if`, in the iterable of a loop, and with `:=`."""

STAGES = ("while_loop", "cond")
ALWAYS = {
    "if (yield x) is None:": "nothing is sent",
    "if (told := (yield 5 * x))": "nothing is sent",
    "for k in (yield x) or": "nothing is sent, and there are two",
    "for v in asking(xs):": "each number has three items at least",
}
CASES = [([1, -2, 3],), ([-1],), ([],)]


def asking(xs):
    for x in xs:
        if x > 0:
            if (yield x) is None:
                yield -1
            if (told := (yield 5 * x)) is not None and told > 0:
                yield told
        elif (yield 100) is None:
            for k in (yield x) or range(2):
                yield k


def yields_in_conditions(xs):
    total = 0
    for v in asking(xs):
        total = total * 3 + v
    return total, sum(asking(xs))
