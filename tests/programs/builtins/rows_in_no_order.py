"""Rows have no order: Python cannot tell which of two is larger, and neither can a graph."""

STAGED_ONLY = "rows of eager tensors have no order either"
REFUSED = "StagingError"
CASES = [([[1, 2], [3, 4]],)]


def rows_in_no_order(rows):
    return max(rows)
