"""A loop changes one of two lists by a name that it then gives to another list."""

REFUSED = "ContainerMutationError"
CASES = [(3, 1), (0, 0)]
NAMES = "'taken'"


def other_name_of_a_choice_in_a_loop(n, k):
    one, two = [1], [2]
    taken = one if n > k else two
    for i in range(n):
        taken[0] += i
        if i == 1:
            taken = [20]
    return one, two, taken
