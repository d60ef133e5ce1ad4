"""A loop over Python values in one over a tensor, and the other way round, with jumps in both."""

STAGES = ("while_loop",)
CASES = [([1, 2, 3], 4), ([5], 0), ([2, 2], 1), ([], 4)]


def loops_of_both_kinds(xs, n):
    total = 0
    for v in xs:
        for factor in (1, 2, 3):
            if v * factor > 5:
                break
            total += v * factor
    for sign in (1, -1, 2):
        for i in range(n):
            if i == 2:
                continue
            total += sign * i
    return total
