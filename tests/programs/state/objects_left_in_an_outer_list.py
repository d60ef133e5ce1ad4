"""Objects of a plain class that branches and loops append to lists outside of the function."""

STAGES = ("cond", "while_loop")
CASES = [(2,), (1,), (0,)]

kept, groups = [], {"all": []}


class Item:
    def __init__(self, value, sign):
        self.value, self.sign = value, sign

    def __repr__(self):
        return f"Item({int(self.value)}, {self.sign})"

    def twice(self):
        return self.value * 2


def objects_left_in_an_outer_list(n):
    del kept[:], groups["all"][:]
    if n > 0:
        kept.append(Item(n, "+"))
    for i in range(n):
        groups["all"].append(Item(i, "."))
    return kept, groups["all"], kept[0].twice() if n > 0 else 0
