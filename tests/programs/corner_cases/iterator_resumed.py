"""Three loops over one iterator, each left by a `break`, go on where the last one stopped."""

PYTHON_ONLY = "state of an iterator"
CASES = [(10,), (4,), (1,), (0,)]


def iterator_resumed(n):
    numbers = iter(range(n))
    sums = [0, 0, 0]
    for v in numbers:
        if v == 2:
            break
        sums[0] += v
    for v in numbers:
        if v % 4 == 0:
            break
        sums[1] += v
    else:
        sums[1] = -1
    for v in numbers:
        sums[2] += v
    return sums, list(numbers)
