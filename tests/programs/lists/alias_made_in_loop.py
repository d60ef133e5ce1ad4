"""A name that the body gives to a dictionary, and changes it by."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def alias_made_in_loop(n):
    table = {"a": 0, "b": [1, 2]}
    for i in range(n):
        same = table
        same["a"] += i
        inner = table["b"]
        inner[0] += 1
    return table["a"], table["b"]
