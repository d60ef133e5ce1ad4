"""An object is iterated over by `__getitem__` alone, up to an IndexError of the run."""

REFUSED = "StagingError"
CASES = [(1,), (-1,)]


class Grid:
    def __init__(self):
        self.cells = [0, 0]

    def __getitem__(self, i):
        return self.cells[i]


def iterated_by_getitem(x):
    grid = Grid()
    if x > 0:
        grid.cells.append(x)
    return sum([cell for cell in grid])
