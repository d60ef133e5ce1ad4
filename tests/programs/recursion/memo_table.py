"""A recursive function keeps its results in a list of the function around it."""

STAGES = ("recursion",)
CASES = [(10,), (1,), (6,)]


def memo_table(n):
    known = [-1] * 12

    def fibonacci(k):
        if k < 2:
            return k
        if known[k] >= 0:
            return known[k]
        known[k] = fibonacci(k - 1) + fibonacci(k - 2)
        return known[k]

    return fibonacci(n), known
