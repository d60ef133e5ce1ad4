"""`next` gives its default where `__next__` may raise StopIteration when the graph runs."""

STAGES = ("try_except",)
CASES = [(-1,), (4,)]


class Down:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n < 0:
            raise StopIteration
        self.n -= 1
        return self.n


def default_of_next(n):
    return next(Down(n), -9)
