"""A setter that stores into slots."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Cell:
    __slots__ = ("_v", "times")

    def __init__(self):
        self._v, self.times = 1, 0

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self._v = value + 1
        self.times += 1


def setter_of_slots(x):
    cell = Cell()
    if x > 0:
        cell.v = x
    else:
        cell.times = 9
    return cell._v, cell.times
