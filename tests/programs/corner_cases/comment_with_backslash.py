"""A comment that ends in a backslash does not take the next line with it."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def comment_with_backslash(x):
    # the next line counts \
    x = x + 1
    if x > 0:  # and this one \
        x = x * 10
    return x
