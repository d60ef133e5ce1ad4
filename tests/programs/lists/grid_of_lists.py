"""Items of lists in a list, picked by tensors and added to."""

STAGES = ("while_loop",)
CASES = [(4,), (0,), (1,)]


def grid_of_lists(n):
    rows = [[0] * 3 for _ in range(3)]
    for i in range(n):
        rows[i % 3][i % 2] += i
    return rows
