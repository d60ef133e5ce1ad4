"""Two items of a tensor swapped."""

STAGES = ()
CASES = [([1, 2, 3], 1), ([1, 2, 3], 0)]
ARRAYS = True
STAGED_ONLY = "eager tensors cannot change"


def swapped(x, i):
    x[0], x[i] = x[i], x[0]
    return x
