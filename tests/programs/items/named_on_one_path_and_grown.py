"""A list is put under a key on the path that goes on, and grows after that."""

STAGES = ("cond",)
CASES = [(0,), (3,)]


def named_on_one_path_and_grown(n):
    held = {}
    if n > 2:
        return held
    items = []
    held["p"] = items
    items.append(n)
    return held
