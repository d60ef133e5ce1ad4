"""Trial division with an early `return`."""

STAGES = ("while_loop", "cond")
CASES = [(1,), (2,), (91,), (97,), (4,)]


def is_prime(n):
    if n < 2:
        return False
    divisor = 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            return False
        divisor += 1
    return True
