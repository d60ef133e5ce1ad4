"""`not` of many answers."""

ARRAYS = True
STAGED_ONLY = "arrays and eager tensors refuse it with exceptions of different classes"
REFUSED = "ConditionError"
CASES = [([1, -2],)]


def not_of_a_vector(xs):
    return not (xs > 0)
