"""A `for` iterates over a generator expression over a tensor, and may leave it."""

STAGES = ("while_loop",)
CASES = [([1, 5, 7], 3, 100), ([1, 5, 7], 0, 9), ([], 3, 100), ([5], 3, 100)]


def generator_in_for(xs, least, most):
    total = 0
    for doubled in (v * 2 for v in xs if v > least):
        if total + doubled > most:
            break
        total += doubled
    return total
