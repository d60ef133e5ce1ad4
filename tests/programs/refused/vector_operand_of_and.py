"""An operand of `and` with many answers."""

ARRAYS = True
STAGED_ONLY = "arrays and eager tensors refuse it with exceptions of different classes"
REFUSED = "ConditionError"
CASES = [([1, -2],)]


def vector_operand_of_and(xs):
    return (xs > 0) and (xs < 5)
