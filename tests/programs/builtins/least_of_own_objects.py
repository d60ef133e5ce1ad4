"""`min` and `max` of objects that a tensor has sorted, and of those whose class has `>` alone."""


class Rank:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        return self.n < other.n


class Load:
    def __init__(self, n):
        self.n = n

    def __gt__(self, other):
        return self.n > other.n


STAGES = ("cond",)
CASES = [(1,), (2,), (3,)]


def least_of_own_objects(a):
    ranks, loads = sorted([Rank(a), Rank(2)]), [Load(a), Load(2)]
    return min(ranks).n, max(ranks).n, min(loads).n, max(loads).n
