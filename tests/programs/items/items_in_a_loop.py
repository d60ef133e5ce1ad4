"""Items of a tensor added to in a loop, and changed again in a branch."""

STAGES = ("while_loop", "cond")
CASES = [([1, 2, 3], 2), ([1, 2, 3], 0), ([1, 2, 3], 1)]
ARRAYS = True
STAGED_ONLY = "eager tensors cannot change"


def items_in_a_loop(x, n):
    for i in range(n):
        x[i] += x[i + 1]
        if x[i] > 3:
            x[i] = -x[i]
    return x
