"""A branch may assign a new list and append to it; the list is read after the branch."""

STAGES = ("cond",)
CASES = [(-1,), (1,), (5,)]


def new_list_in_a_branch(n):
    old = [7]
    items = old
    if n > 0:
        if n > 2:
            items = []
        items.append(n)
    return items, old, len(items)
