"""A dict of which some items exist on some paths only: iterated over, summed, returned."""

STAGES = ("cond",)
ALWAYS = {"for key, value in kept.items():": "one is there on every path"}
CASES = [(0,), (2,), (5,)]


def items_on_some_paths(n):
    found = {i: i * n for i in range(3) if i < n}
    kept = {"z": 1}
    if n > 3:
        kept["a"] = n
    total = 0
    for key, value in kept.items():
        total = total * 3 + value
        kept[key] = value + 1
    return found, kept, total, sum(found.values()), sorted(found), kept == {"z": 2}
