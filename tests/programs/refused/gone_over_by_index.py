"""An object is gone over by `__getitem__` alone, up to an IndexError that comes when it runs."""

REFUSED = "StagingError"
CASES = [(1,), (-1,)]


class Grid:
    def __init__(self):
        self.cells = [0, 0]

    def __getitem__(self, i):
        return self.cells[i]


def gone_over_by_index(x):
    grid = Grid()
    if x > 0:
        grid.cells.append(x)
    return sum([cell for cell in grid])
