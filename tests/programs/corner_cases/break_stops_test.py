"""After a `break` the test of the loop is not evaluated again, nor what follows the `break`."""

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
