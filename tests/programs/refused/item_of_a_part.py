"""An item of a row of a tensor is assigned by two pairs of brackets: the row is another tensor."""

REFUSED = "StagingError"
STAGED_ONLY = "eager tensors cannot change"
CASES = [([[1, 2], [3, 4]],)]
ARRAYS = True


def item_of_a_part(m):
    m = m + m
    m[0][1] = 5
    return m
