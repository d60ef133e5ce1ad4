"""A list of lists is chosen: which of the inner lists are one is not followed."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (5,)]


def list_of_lists_chosen_and_changed(x):
    low, high = [[1]], [[2]]
    rows = high if x > 3 else low
    rows.append([x])
    return low, high
