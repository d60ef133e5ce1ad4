"""Both branches change one list through different names; the alias stays an alias."""

STAGES = ("cond",)
CASES = [(4,), (-4,)]


def alias_in_branch(x):
    items = [x]
    other = items
    if x > 0:
        items += [x * 2]
    else:
        items.append(-x)
    return other, other is items
