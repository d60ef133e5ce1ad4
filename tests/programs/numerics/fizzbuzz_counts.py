"""How many numbers up to n are multiples of three, of five, of both."""

STAGES = ("while_loop", "cond")
CASES = [(15,), (31,), (0,), (1,)]


def fizzbuzz_counts(n):
    fizz = buzz = both = 0
    for i in range(1, n + 1):
        if i % 15 == 0:
            both += 1
        elif i % 5 == 0:
            buzz += 1
        elif i % 3 == 0:
            fizz += 1
    return fizz, buzz, both
