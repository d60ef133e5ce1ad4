"""A class of lists has an `append` of its own, which the graph's list would not know."""

REFUSED = "StagingError"
CASES = [(3,), (0,)]
NAMES = "append() of Bounded"


class Bounded(list):
    def append(self, value):
        if len(self) < 2:
            super().append(value)


def list_with_its_own_append(n):
    kept = Bounded()
    for i in range(n):
        kept.append(i)
    return len(kept)
