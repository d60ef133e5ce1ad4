"""`zip` of generators whose lengths a tensor determines, of a range, and of an endless one."""

STAGES = ("while_loop", "cond")
CASES = [(5, 4), (0, 3), (7, 9), (2, 1), (1, 1), (1, 0)]


def evens(n):
    for k in range(n):
        if k % 2 == 0:
            yield k


def below(n):
    k = 0
    while k < n:
        yield k * k
        k += 1


def counting(k):
    while True:
        yield k
        k += 2


def zipped_generators(n, m):
    total = 0
    for a, b in zip(evens(n), below(m)):
        total = total * 3 + a - b
    for a, b, c in zip(counting(3), range(n), evens(m)):
        total = total % 1000 + a * b + c
    return total, list(zip(evens(n), evens(m)))
