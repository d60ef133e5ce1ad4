"""`enumerate` and `zip` over a range whose end only the graph knows."""

STAGES = ("while_loop",)
CASES = [(3,), (1,), (0,)]


def enumerated_range(n):
    total = 0
    for place, i in enumerate(range(n, 2 * n), start=5):
        total += place * i
    for a, b in zip(range(n), range(10)):
        total = total * 2 + a - b
    return total
