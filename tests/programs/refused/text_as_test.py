"""A text is no test of a graph."""

import runtime as rt

REFUSED = "ConditionError"
NAMES = "the condition of this `if`"
CASES = [(3,)]


def text_as_test(x):
    word = rt.constant("abc")
    if word:
        return x
    return -x
