"""A nested generator function, a generator expression and `yield from`."""

PYTHON_ONLY = "generators"
CASES = [(5,), (0,)]


def generator_inside(n):
    def squares(limit):
        for i in range(limit):
            if i == 2:
                continue
            yield i * i

    def both(limit):
        yield from squares(limit)
        yield -1

    return list(both(n)), sum(v for v in squares(n) if v > 1)
