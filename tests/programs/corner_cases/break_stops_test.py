"""After a `break` neither the test of the loop nor the code behind the `break` is evaluated."""

PYTHON_ONLY = "indexing past the end would raise"
CASES = [([4, 2, 9], 9), ([4, 2], 9), ([9], 9)]


def break_stops_test(xs, stop):
    log = []

    def at(i):
        log.append(i)
        return xs[i]

    i = 0
    while at(i) != stop:
        i = i + 1
        if i == len(xs):
            break
        log.append(xs[i])
    return i, log
