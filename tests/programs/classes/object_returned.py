"""Objects of the user's class come out as objects of that class: made on every path or on one, in a
list, one that holds another, and one that is returned twice."""

STAGES = ("cond", "while_loop")
CASES = [(2,), (1,), (0,), (-3,)]


class Point:
    def __init__(self, x, label, other=None):
        self.x, self.label, self.other = x, label, other

    def __repr__(self):
        return f"Point({int(self.x)}, {self.label})"

    def doubled(self):
        return Point(self.x * 2, self.label, self)


def object_returned(n):
    point = Point(n, "p").doubled()
    if n > 0:
        last = Point(n + 1, "last")
    else:
        last = None
    return point, [point, last], [Point(i, "of many") for i in range(n)]
