"""Objects that a loop has made are changed by name, by index and by their methods."""

STAGES = ("while_loop",)
ALWAYS = {"return [(item.x": "there is one"}
CASES = [([1, 2, 3], 1), ([5], 0), ([], 1)]


class Item:
    def __init__(self, x):
        self.x, self.seen = x, []

    def move(self, by):
        self.x += by
        self.seen.append(by)


def objects_made_and_changed(xs, k):
    items = []
    for x in xs:
        items.append(Item(x))
    for item in items:
        item.move(10)
    items[k].move(5)
    return [(item.x, item.seen) for item in items]
