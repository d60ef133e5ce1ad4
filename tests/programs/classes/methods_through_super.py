"""Methods of a list's class that add to it, and call the list's own with super()."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (4,)]


class Tally(list):
    def size(self):
        return super().__len__()

    def turned(self):
        super().reverse()
        return self

    def drop(self):
        return super().pop()


def methods_through_super(n):
    tally = Tally()
    for i in range(n):
        tally.append(i + 1)
    tally.append(7)
    last = tally.drop()
    return tally.size(), list(tally.turned()), last, list.count(tally, 2)
