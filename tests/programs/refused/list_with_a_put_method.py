"""A method of a list's class named like one of the object that stands for it in a graph."""

REFUSED = "StagingError"
CASES = [(0,), (3,)]
NAMES = "put() of Shelf"


class Shelf(list):
    def put(self, value):
        self.append(value)


def list_with_a_put_method(n):
    shelf = Shelf()
    for i in range(n):
        shelf.append(i)
    shelf.put(n)
    return len(shelf)
