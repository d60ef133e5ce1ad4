"""A list that a loop begins anew, puts into another one, and goes on to fill in later turns."""

REFUSED = "ContainerMutationError"
NAMES = "'group'"
CASES = [(3,), (0,)]


def group_begun_in_a_loop(n):
    groups = []
    for i in range(n):
        if i % 2 == 0:
            group = []
            groups.append(group)
        group.append(i)
    return groups
