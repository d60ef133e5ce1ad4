"""`None` on both paths is `None`, and known to be."""

STAGES = ("cond",)
ALWAYS = {"if found is None:": "it always is"}
CASES = [(3,), (-3,)]


def none_in_both_branches(x):
    if x > 0:
        found, size = None, 1
    else:
        found, size = None, 2
    if found is None:
        return size
    return found
