"""Two rows that may be one are changed alternately: each shows the changes of the other."""

STAGES = ()
CASES = [(0, 1), (1, 1)]


def two_rows_alternately(i, j):
    rows = [[1], [2], [3]]
    one, other = rows[i], rows[j]
    one.append(7)
    other.append(len(other))
    one.append(9)
    return rows
