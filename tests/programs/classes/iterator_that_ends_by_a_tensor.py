"""An iterator of the user's that ends under a condition on a tensor."""

STAGES = ("try_except", "while_loop")
CASES = [(3,), (1,), (0,)]


class Countdown:
    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left <= 0:
            raise StopIteration
        self.left -= 1
        return self.left


def iterator_that_ends_by_a_tensor(n):
    total = 0
    for left in Countdown(n):
        total += left
    return total
