"""Rows of a list that was sorted by tensors are changed, where they have no other name."""

STAGES = ()
CASES = [(1,), (-1,)]


def rows_change_after_they_are_sorted(n):
    rows = [{"k": 3}, {"k": 1}, {"k": 5}]
    rows.sort(key=lambda each: each["k"] * n)
    for place, row in enumerate(rows):
        row["place"] = place
    return rows
