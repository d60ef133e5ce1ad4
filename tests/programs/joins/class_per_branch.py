"""A class defined in each branch, an object of it made afterwards."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def class_per_branch(x):
    if x > 0:

        class Step:
            def taken(self, v):
                return v + 1
    else:

        class Step:
            def taken(self, v):
                return v * 10

    return Step().taken(x)
