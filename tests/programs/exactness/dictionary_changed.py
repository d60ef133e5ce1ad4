"""Changing a dictionary's size inside a loop over it raises, as Python does."""

PYTHON_ONLY = "exceptions"
CASES = [(1,), (5,)]


def dictionary_changed(limit):
    table = {1: "a", 2: "b"}
    for key in table:
        if key > limit:
            table[key + 10] = "new"
        elif limit > 4:
            table[0] = "zero"
    return table
