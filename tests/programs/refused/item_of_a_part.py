"""An item of a row of a tensor is assigned by two pairs of brackets: the row is another tensor."""

REFUSED = "StagingError"
CASES = [([[1, 2], [3, 4]],)]


def item_of_a_part(m):
    m = m + m
    m[0][1] = 5
    return m
