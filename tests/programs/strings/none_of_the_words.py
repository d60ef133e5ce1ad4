"""`in` and `not in` with a vector of strings on the right look for one of them, whole."""

import runtime as rt

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (3,), (5,)]


def none_of_the_words(count):
    words = rt.constant(["a", "bb", "", "b b"])
    missing = 0
    for word in rt.constant(["bb", "b", "", "b b", "x"])[:count]:
        if word not in words:
            missing += 1
    return missing
