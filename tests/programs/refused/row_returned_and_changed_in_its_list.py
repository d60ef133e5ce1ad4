"""A function that calls itself returns a row that is in a list, too, and changes it there."""

REFUSED = "ContainerMutationError"
CASES = [(3,), (0,)]
NAMES = "an item of"


def first_row(rows, n):
    if n <= 0:
        return None
    row = [n]
    rows.append(row)
    first_row(rows, n - 1)
    rows[0].append(row[0])
    return row


def row_returned_and_changed_in_its_list(n):
    rows = []
    return first_row(rows, n), rows
