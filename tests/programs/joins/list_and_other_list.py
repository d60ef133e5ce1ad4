"""`and` gives one of two lists: a change of the result is a change of that one."""

STAGES = ("cond",)
CASES = [(1,), (2,)]


def list_and_other_list(n):
    left, right = [1], [2]
    if n > 1:
        left.append(n)
    taken = left[1:] and right
    taken.append(7)
    return left, right, taken
