"""A value picked from a dict by a tensor."""

STAGES = ("cond",)
STAGED_ONLY = "an eager tensor is no key"
CASES = [(1,), (0,)]


def dict_under_a_tensor(n):
    d = {0: 3, 1: 9}
    return d[n]
