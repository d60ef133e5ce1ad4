"""The next iteration changes an item that this one, later, puts in the list twice."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "one object is in the list more than once"


def changed_before_put_in_twice(n):
    rows, total = [], 0
    for _ in range(n):
        row = []
        if rows:
            rows[0].append(5)
        rows.append(row)
        rows.append(row)
    for each in rows:
        total += len(each)
    return total
