"""Random numbers of Python's would be drawn once, while tracing."""

import random

REFUSED = "ContainerMutationError"
NAMES = "'generator'"
CASES = [(3,), (0,)]


def random_in_loop(n):
    generator = random.Random(1)
    total = 0
    for _ in range(n):
        total += generator.randint(1, 6)
    return total
