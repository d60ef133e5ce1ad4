"""Items and slices of a tensor added to: the variable is rebound."""

STAGES = ()
CASES = [([1, 2, 3], 1), ([1, 2, 30], 2)]
ARRAYS = True
STAGED_ONLY = "eager tensors cannot change"


def added_to_items(x, n):
    x[1] += 2
    x[n:] *= 5
    x[x > 20] = 0
    return x
