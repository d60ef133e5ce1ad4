"""`del`, `insert` and `reverse` on a list of unknown length."""

STAGES = ("while_loop", "cond")
CASES = [(4,), (0,), (1,)]


def deleted_inserted_reversed(n):
    l = []
    for i in range(n):
        l.append(i)
    if len(l) > 2:
        del l[1]
    l.insert(1, 50)
    l.reverse()
    return l
