"""Functions of `operator`, and methods taken from the class, of lists that grow."""

import operator

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (2,)]


def operators_by_their_names(n):
    grown, keys = [], {"a": 1}
    length = grown.__len__
    for i in range(n):
        grown.append(i + 1)
    if n > 1:
        operator.setitem(grown, 0, 9)
        keys["c"] = n
    empty = list(map(operator.not_, [grown, [1]])), operator.truth(grown)
    same = operator.eq(grown, [9, 2]), list.__eq__(grown, [1]), dict.__contains__(keys, "c")
    operator.iadd(grown, [3])
    list.reverse(grown)
    return empty, same, grown, list.__getitem__(grown, slice(0, 1)), length(), dict.__len__(keys)
