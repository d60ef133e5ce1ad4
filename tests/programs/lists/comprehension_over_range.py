"""A comprehension over a range whose length only the graph knows."""

STAGES = ("while_loop",)
CASES = [(4,), (1,), (0,)]


def comprehension_over_range(n):
    squares = [i * i for i in range(n)]
    odd = [s for s in squares if s % 2 == 1]
    return squares, odd, sum(squares)
