"""Two `break` statements for two reasons, told apart by a variable."""

STAGES = ("while_loop", "cond")
CASES = [(10, 3), (-10, 3), (1, 50), (10, 0)]


def two_breaks(x, n):
    reason = 0
    while n > 0:
        if x > 12:
            reason = 1
            break
        x += 1
        if x < 0:
            reason = 2
            break
        n -= 1
    return x, n, reason
