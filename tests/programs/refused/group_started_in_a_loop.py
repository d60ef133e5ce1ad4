"""A loop creates a list, appends it to another one, and fills it in later iterations."""

REFUSED = "ContainerMutationError"
NAMES = "'group'"
CASES = [(3,), (0,)]


def group_started_in_a_loop(n):
    groups = []
    for i in range(n):
        if i % 2 == 0:
            group = []
            groups.append(group)
        group.append(i)
    return groups
