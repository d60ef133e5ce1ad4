"""Python iterates over a list of tensors; each iteration may branch."""

STAGES = ("cond",)
CASES = [(3, -4), (-3, 4)]


def list_of_tensors(x, y):
    total = 0
    for v in [x, y, x * y]:
        if v > 0:
            total += v
    return total
