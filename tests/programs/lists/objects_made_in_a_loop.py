"""A list of objects that a loop makes, searched by another loop."""

STAGES = ("while_loop", "cond")
ALWAYS = {
    "for each in found:": "one is there at first",
    "return Vector(self.x * by, self.y * by) if by > 1 else self": "nobody calls it here",
}
CASES = [(5,), (1,), (0,)]


class Vector:
    """A pair of numbers with operators of its own."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def scaled(self, by):
        return Vector(self.x * by, self.y * by) if by > 1 else self


def objects_made_in_a_loop(n):
    found = [Vector(-1, -1)]
    for i in range(n):
        found.append(Vector(i * 7 % 5, i))
    best = None
    for each in found:
        if best is None or each.x > best.x:
            best = each
    return best.x, best.y, len(found)
