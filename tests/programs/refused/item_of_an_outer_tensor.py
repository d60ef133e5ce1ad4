"""An inner function assigns an item of a tensor of the function around it without `nonlocal`."""

REFUSED = "StagingError"
NAMES = "'x'"
STAGED_ONLY = "eager tensors cannot change"
CASES = [([1, 2, 3], 1)]
ARRAYS = True


def item_of_an_outer_tensor(x, n):
    def clear(k):
        x[k] = 0

    clear(n)
    return x
