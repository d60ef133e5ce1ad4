"""A vector sorted where it stands: items move up until one is found that is not larger."""

STAGES = ("while_loop",)
CASES = [
    ([5, 2, 9, -1, 2], 5),
    ([3, 1], 2),
    ([1, 2, 3], 3),
    ([4, 3, 2, 1], 2),
    ([7], 1),
    ([2, 1], 0),
]
ARRAYS = True
STAGED_ONLY = "eager tensors cannot change"


def sorted_by_insertion(x, n):
    for i in range(1, n):
        item = x[i]
        at = i
        while at > 0 and x[at - 1] > item:
            x[at] = x[at - 1]
            at -= 1
        x[at] = item
    return x
