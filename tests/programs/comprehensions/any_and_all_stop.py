"""`any` and `all` stop at the element that decides: the next division would fail."""

STAGES = ("while_loop", "cond")
CASES = [(3, 4), (5, 4), (0, 4), (2, 1), (1, 4)]


def any_and_all_stop(n, k):
    found = any(k == 4 and i == 2 or 12 // (i - 3) > 100 for i in range(n))
    every = all(12 // (i - 4) < 0 for i in range(n) if i < 4)
    both = any(a * b == k for a in range(n) for b in (1, 2))
    within = any(i == k or 12 // (i - k - 1) > 100 for i in (1, 2, 3))
    return found, every, both, within, all(i < k for i in (1, 2) if i < n)
