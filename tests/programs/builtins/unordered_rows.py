"""Rows have no order: Python cannot compare two of them, and neither can a graph."""

STAGED_ONLY = "rows of eager tensors have no order either"
REFUSED = "StagingError"
CASES = [([[1, 2], [3, 4]],)]


def unordered_rows(rows):
    return max(rows)
