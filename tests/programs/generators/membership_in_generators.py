"""`in` takes items of a generator up to the one that is equal, and no more."""

STAGES = ("while_loop", "cond")
CASES = [(5,), (0,), (1,), (3,)]
ALWAYS = {"while True:": "it is endless"}


def doubling(k):
    while True:
        yield k
        k = k * 2 + 1


def membership_in_generators(n):
    seen = [9]

    def below(n):
        for k in range(n):
            seen.append(k)
            yield k, k * k

    found = 0
    if (2, 4) in below(n):
        found = 10
    if (1, 1) not in below(n):
        found = found + 1
    return found, seen, n * 4 + 3 in doubling(n)
