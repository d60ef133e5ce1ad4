"""Two names for one list, changed through one and read through the other after an early return."""

STAGES = ("cond",)
CASES = [(0,), (1,)]


def alias_in_branch(n):
    items = [1, 2]
    same = items

    def first():
        return items[0]

    if n > 0:
        return 1
    items[0] = 5
    return same[0] + first()
