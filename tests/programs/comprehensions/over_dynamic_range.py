"""A comprehension over `range(n)` of a tensor, no, one and many times."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (5,)]


def over_dynamic_range(n):
    squares = [i * i for i in range(n)]
    total = 0
    for square in squares:
        total += square
    return squares, total
