"""A list that may be begun anew inside of a branch, appended to there, and looked at after it."""

STAGES = ("cond",)
CASES = [(-1,), (1,), (5,)]


def begun_anew_in_a_branch(n):
    old = [7]
    items = old
    if n > 0:
        if n > 2:
            items = []
        items.append(n)
    return items, old, len(items)
