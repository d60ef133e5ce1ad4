"""A handler changes a list that may be another one since before the exception."""

REFUSED = "ContainerMutationError"
NAMES = "'chosen'"
CASES = [(2,), (3,), (5,)]


def list_of_a_handler_under_two_names(n):
    first, second = [1], [5]
    chosen = first
    try:
        if n > 3:
            chosen = second
        if n > 2:
            raise ValueError(n)
    except ValueError:
        chosen.append(n)
    return first, second
