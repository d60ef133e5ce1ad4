"""Items that one path deletes or adds leave the others in their order, on both paths."""

from collections import OrderedDict

STAGES = ("cond",)
CASES = [(3,), (0,)]


def deleted_item_keeps_the_order(n):
    d = {"a": 1, "b": n}
    if n > 2:
        del d["a"]
        d["c"] = 4
    else:
        d["e"] = 5
    one, other = OrderedDict(a=n, b=1), OrderedDict(b=1, a=n)
    return list(d), one == other, one == dict(other), d
