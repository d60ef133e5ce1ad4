"""Gaussian elimination: the row with the largest pivot, which a run finds, comes to the top."""

STAGES = ("cond",)
CASES = [(1.0, 2.0, 3.0, 4.0), (4.0, 1.0, 2.0, 5.0)]
ALWAYS = {"for ": "there are two rows and columns"}


def rows_swapped_for_a_pivot(a, b, c, d):
    rows, size = [[a, b, 5.0], [c, d, 6.0]], 2
    for column in range(size):
        pivot = column
        for r in range(column + 1, size):
            if abs(rows[r][column]) > abs(rows[pivot][column]):
                pivot = r
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for r in range(column + 1, size):
            factor = rows[r][column] / rows[column][column]
            for k in range(column, size + 1):
                rows[r][k] -= factor * rows[column][k]
    last = rows[1][2] / rows[1][1]
    return (rows[0][2] - rows[0][1] * last) / rows[0][0], last
