"""One path assigns a new list, which is changed then."""

STAGES = ("cond",)
CASES = [(1,), (-1,)]


def new_list_on_one_path(c):
    l = [0]
    if c > 0:
        l = l + [1]
    l.append(2)
    return l
