"""`filter` over numbers of Python's: a tensor says which of them it leaves."""

STAGES = ("cond",)
CASES = [(0,), (1,), (3,), (2,)]


def filtered_by_a_tensor(n):
    kept = list(filter(lambda v: v > n, [1, 2, 3]))
    most = max(filter(lambda v: v > n, [1, 2, 3]), default=-1)
    doubled = [v * 2 for v in map(lambda v: v + 1, filter(lambda v: v > n, (1, 2, 3)))]
    any_above = any(filter(lambda v: v > n, [1, 2]))
    return kept, most, doubled, any_above, sum(filter(None, [n, 2]))
