"""An iteration creates a group and appends it to a list; later ones add to it by its name."""

REFUSED = "ContainerMutationError"
CASES = [(2,), (5,)]
NAMES = "'group'"


def group_of_the_previous_iteration_grows(n):
    groups, group = [], None
    for i in range(n):
        if group is None or i % 3 == 0:
            group = [i]
            groups.append(group)
        else:
            group.append(i)
    return groups
