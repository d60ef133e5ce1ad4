"""Reading an item or attribute that may be missing raises, and the reader catches the error."""

STAGES = ("try_except",)
CASES = [(-1,), (2,), (7,)]


class Row:
    def __init__(self, n):
        self.n = n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError(i)
        return i * 2

    @property
    def root(self):
        if self.n < 0:
            raise AttributeError("no root")
        return self.n


def missing_items_and_attributes(n):
    row, total = Row(n), 0
    try:
        total = row[0] + row[3]
    except IndexError as error:
        total = 100 + error.args[0]
    try:
        return total + row.root
    except AttributeError:
        return total - 5
