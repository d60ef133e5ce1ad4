"""`next` of a filter over a tensor: the first item, the ones after it, a default, and an object's
method that counts how often it was asked."""

STAGES = ("cond", "while_loop")
CASES = [([1, 4, 2, 7, 5, 9], 3), ([4, 7, 5], 3), ([1, 2], 3), ([], 3), ([0, 3, 5], 0)]


class Above:
    def __init__(self, limit):
        self.limit, self.asked = limit, 0

    def holds(self, value):
        self.asked += 1
        return value > self.limit


def next_of_a_filter(xs, limit):
    above = Above(limit)
    left = filter(above.holds, xs)
    first, second = next(left, None), next(left, -1)
    asked = above.asked
    rest = 0
    for x in left:
        rest += x
    truthy = next(filter(None, xs), 0)
    return -1 if first is None else first, second, asked, rest, truthy
