"""One of two lists is chosen, and changes under its own name after that."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (5,)]


def read_after_the_other_changed(x):
    low, high = [1], [2]
    chosen = high if x > 3 else low
    low.append(x)
    return chosen
