"""A comparison of vectors has many answers; a test needs one."""

ARRAYS = True
STAGED_ONLY = "arrays and eager tensors refuse it with exceptions of different classes"
REFUSED = "ConditionError"
NAMES = "the condition of this `if`"
CASES = [([1, -2],)]


def vector_as_test(xs):
    if xs > 0:
        return 1
    return 2
