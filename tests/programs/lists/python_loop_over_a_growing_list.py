"""Python iterates over a list that a branch of the graph makes longer."""

REFUSED = "ContainerMutationError"
NAMES = "'work'"
CASES = [(0,), (2,)]


def python_loop_over_a_growing_list(n):
    work = [3]
    for v in work:
        if n > 0 and v > 0:
            work.append(v - 1)
    return work
