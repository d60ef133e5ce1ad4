"""The text of a list whose length the graph alone knows is put together item by item."""

REFUSED = "StagingError"
CASES = [(3,), (-3,)]


def text_of_a_grown_list(x):
    items = [1]
    if x > 0:
        items.append(2)
    return str((items, 1))
