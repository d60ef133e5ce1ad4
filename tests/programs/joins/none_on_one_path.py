"""A search that returns `None` when nothing is found, asked about with `is None`."""

STAGES = ("while_loop",)
CASES = [([1, 7, 9], 5), ([1, 2, 3], 5), ([], 5), ([1], 5)]


def none_on_one_path(xs, limit):
    found = first_above(xs, limit)
    if found is None:
        return -1
    return found


def first_above(xs, limit):
    for v in xs:
        if v > limit:
            return v
    return None
