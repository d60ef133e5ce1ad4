"""Two items are swapped at indices of the run: of a list of an outer function, of an attribute, and
of a dict's item; others are unpacked with a star."""

STAGES = ("cond",)
CASES = [([5, 2, 9, 4], 0, 2), ([1, 2], 1, 1), ([3, 1, 2], -1, 0)]


class Heap:
    def __init__(self, items):
        self.items = items

    def sift(self, i):
        if self.items[i] > self.items[i + 1]:
            self.items[i], self.items[i + 1] = self.items[i + 1], self.items[i]


def swapped_in_place(xs, i, j):
    a, table, heap = list(xs), {"row": list(xs)}, Heap([i, j, 1])

    def swap(i, j):
        a[i], a[j] = a[j], a[i]
        (table["row"][j], *table["rest"]), table["last"] = table["row"], i

    swap(i, j)
    heap.sift(abs(j) - 1)
    return a, table, heap.items
