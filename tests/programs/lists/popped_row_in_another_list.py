"""A row taken out of one list is changed, and another list that has it is looked at."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]


def popped_row_in_another_list(n):
    rows, kept = [], []
    for i in range(n):
        row = [i]
        rows.append(row)
        kept.append(row)
    rows.pop().append(5)
    return rows, kept
