"""A cached property that one path reads first is computed where it is read next."""

from functools import cached_property

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Table:
    def __init__(self, x):
        self.x = x

    @cached_property
    def double(self):
        return self.x * 2


def cached_in_branch(x):
    table = Table(x)
    y = 0
    if x > 0:
        y = table.double
    return y + table.double
