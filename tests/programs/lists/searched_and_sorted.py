"""The methods of a list that compare its items, with tensors among them."""

STAGES = ("while_loop", "cond")
CASES = [(1,), (2,)]


def searched_and_sorted(x):
    values = [3, 1, x]
    place, count = values.index(x), values.count(1)
    values.remove(x)
    values.append(x * 2)
    values.sort(key=lambda v: -v)
    return place, count, values
