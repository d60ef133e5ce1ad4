"""Iterators in an object, under two names and of several kinds, of which a loop takes items."""


class Reader:
    def __init__(self, rows):
        self.rows = enumerate(rows, 1)

    def read(self):
        return next(self.rows, (0, -1))


STAGES = ("while_loop",)
CASES = [([1, 2, 3], 2), ([4, 5], 0), ([7], 2), ([1, 2, 3], 1)]


def iterators_taken_by_methods(xs, n):
    reader, pairs, total = Reader(xs), zip(xs, range(n)), 0
    same = pairs
    for _ in range(n):
        place, value = reader.read()
        total = total * 100 + place * value
    while n > 0:
        total += sum(next(pairs, (1, 1))) + sum(next(same, (2, 2)))
        n -= 1
    return total, reader.read()
