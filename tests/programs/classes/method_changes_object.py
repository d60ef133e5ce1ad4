"""A method called in a loop changes its object: the attribute is state of the loop."""

STAGES = ("while_loop", "cond")
CASES = [([3, -1, 4],), ([-2],), ([],)]


class Statistics:
    def __init__(self):
        self.count = 0
        self.total = 0

    def add(self, v):
        self.count = self.count + 1
        if v > 0:
            self.total = self.total + v


def method_changes_object(xs):
    statistics = Statistics()
    for v in xs:
        statistics.add(v)
    return statistics.count, statistics.total
