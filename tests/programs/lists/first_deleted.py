"""The first item of a list is deleted in a branch, and the others move up."""

STAGES = ("cond",)
CASES = [(2,), (0,)]


def first_deleted(n):
    queue = [3, 1, 2]
    if n > 1:
        del queue[0]
    return queue
