"""A branch that could only fail is traced without harm when it is not taken."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def untaken_branch(x):
    table = {"known": 1}
    if x < 0:
        return table["unknown"]
    return x * 2
