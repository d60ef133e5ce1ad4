"""The greatest element and its place, from a numeric start."""

STAGES = ("while_loop", "cond")
ALWAYS = {"for v in xs": "there is a first one"}
CASES = [([3, 9, 2, 9],), ([-5, -2, -7],), ([3],), ([],)]


def running_maximum(xs):
    best = xs[0]
    place = 0
    i = 0
    for v in xs:
        if v > best:
            best = v
            place = i
        i += 1
    return best, place
