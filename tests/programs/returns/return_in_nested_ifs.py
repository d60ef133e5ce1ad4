"""Returns at different depths, some paths falling through."""

STAGES = ("cond",)
CASES = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def return_in_nested_ifs(x, y):
    if x > 0:
        if y > 0:
            return 1
        x = x + 10
    elif y > 0:
        return 2
    return x * 100 + y
