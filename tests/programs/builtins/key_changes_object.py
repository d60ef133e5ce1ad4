"""The changes by a key of `sorted`, or by a method given to `map`, are there afterwards."""

STAGES = ("while_loop",)
CASES = [([3, 1, 4, 1],), ([7],)]


class Ranking:
    def __init__(self):
        self.calls, self.total = 0, 0

    def rank(self, x):
        self.calls += 1
        if x > 2:
            self.total += x
        return -x


def key_changes_object(xs):
    ranking = Ranking()
    best = sorted(xs, key=lambda x: ranking.rank(x) % 5)[0]
    low = min(xs, key=ranking.rank)
    return best, low, sum(map(ranking.rank, xs)), ranking.calls, ranking.total
