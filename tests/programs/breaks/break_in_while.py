"""`break` under a condition leaves a `while` loop."""

STAGES = ("while_loop",)
CASES = [(91,), (13,), (2,), (3,)]


def break_in_while(n):
    divisor = 2
    while divisor < n:
        if n % divisor == 0:
            break
        divisor += 1
    return divisor
