"""A list has rows of another one, or copies of them: a change there is seen in the rows."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "an item of a list"


def row_copied_on_a_path_and_kept(n):
    rows, kept = [], []
    for i in range(n):
        rows.append([i, 0])
    for row in rows:
        if row[0] > 1:
            row = list(row)
        kept.append(row)
    rows[n - 1][0] += 4
    return kept
