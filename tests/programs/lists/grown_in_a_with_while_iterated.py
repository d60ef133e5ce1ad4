"""A list grows on a path while Python iterates over it, in a `with` of a tape."""

import runtime as rt

REFUSED = "ContainerMutationError"
CASES = [(2.0, 3), (2.0, 1)]
NAMES = "'powers'"


def grown_in_a_with_while_iterated(x, n):
    with rt.GradientTape():
        powers, total = [x], x * 0.0
        for power in powers:
            total = total + power
            if len(powers) < n:
                powers.append(power * x)
    return total
