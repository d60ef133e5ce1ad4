"""A string of its own in each branch, compared."""

STAGES = ("while_loop", "cond")
CASES = [(4,), (0,), (1,)]


def string_per_branch(n):
    s = "a"
    for i in range(n):
        if i % 2 == 0:
            s = "even"
        else:
            s = "odd"
    return s == "odd", 1 if s == "even" else 2
