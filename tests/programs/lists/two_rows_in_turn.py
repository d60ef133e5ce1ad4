"""Two rows that may be one are changed in turn: each sees what the other was given."""

STAGES = ()
CASES = [(0, 1), (1, 1)]


def two_rows_in_turn(i, j):
    rows = [[1], [2], [3]]
    one, other = rows[i], rows[j]
    one.append(7)
    other.append(len(other))
    one.append(9)
    return rows
