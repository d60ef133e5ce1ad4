"""One of three lists is chosen by two conditions and grows: which one, no single choice tells."""

REFUSED = "ContainerMutationError"
CASES = [(3, 1), (0, 2), (0, 0)]
NAMES = "'taken'"


def one_of_three_lists_grows(n, k):
    high, low, middle = [n], [k], [7]
    if n > 0:
        taken = high
    elif k > 0:
        taken = low
    else:
        taken = middle
    taken.append(5)
    return high, low, middle
