"""A truth value is the index 0 or 1, and one of two slices takes its own items."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]
STAGED_ONLY = "an eager tensor of a truth value is no index"


def picked_by_a_truth_value(x):
    taken = slice(0, 2) if x > 0 else slice(1, 3)
    items = [5, 6]
    items[x > 1] = x
    return ["low", "high"][x > 0], (10, 20)[x > 0], [5, 6, 7][taken], items
