"""A generator that is sent tensors and keeps a running maximum of them."""

STAGES = ("cond", "cond", "cond")
ALWAYS = {"while True:": "it is endless"}
CASES = [([3, 1, 2],), ([-5, -7, -1],)]


def running_maximum(best):
    while True:
        value = yield best
        if value > best:
            best = value


def values_sent_in(xs):
    maximum = running_maximum(xs[0] - 1)
    next(maximum)
    seen = [maximum.send(xs[i]) for i in range(3)]
    maximum.close()
    return seen[0] + 10 * seen[1] + 100 * seen[2]
