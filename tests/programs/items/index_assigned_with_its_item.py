"""`x[i], i = v, j` assigns the item at the old index, and `i, x[i] = j, v` the one at the new."""

STAGES = ("cond",)
DIFFERS = {"rows": "a list of numbers is one tensor, and comes back as one"}
CASES = [([1, 2, 3], 1), ([4, 5, 6], 0)]
STAGED_ONLY = "eager tensors cannot change"


def index_assigned_with_its_item(x, n):
    i = 0
    if n > 0:
        i = 1
    x[i], i = 10, i + 1
    i, x[i] = 0, n + 20
    return x, i
