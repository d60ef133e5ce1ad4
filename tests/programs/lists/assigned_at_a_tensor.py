"""An item of a Python list assigned under a tensor index."""

STAGES = ()
CASES = [(4,), (2,)]


def assigned_at_a_tensor(n):
    x = [1, 2, 3]
    x[n - 2] = 10
    return x
