"""Loops over iterators that nobody looks at again are left where a tensor says so."""

STAGES = ("cond",)
ALWAYS = {"for down in Countdown(4):": "it counts from four"}
CASES = [(2,), (9,), (3,)]


class Countdown:
    def __init__(self, left):
        self.left = left

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


def out_of_iterators(n):
    rows = iter([5, 1, 2, 3])
    head = next(rows)
    for row in rows:
        if row == n:
            break
    for down in Countdown(4):
        if down == n:
            break
    return head + row + down
