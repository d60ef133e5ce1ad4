"""A variable that only one branch knows, and nobody asks for afterwards."""

STAGES = ("cond",)
CASES = [(4,), (-4,)]


def local_to_one_branch(x):
    if x > 0:
        half = x // 2
        x = x + half
    return x
