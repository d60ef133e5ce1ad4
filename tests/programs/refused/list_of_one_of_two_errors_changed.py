"""The list in a caught exception is one of two, and one of these is changed by the handler."""

REFUSED = "ContainerMutationError"
NAMES = "'args'"
CASES = [(-1,), (2,), (7,)]


def list_of_one_of_two_errors_changed(x):
    first, second = [x], [x, 2]
    try:
        if x < 0:
            raise ValueError("negative", first)
        if x > 5:
            raise ValueError("large", second)
    except ValueError as error:
        first.append(7)
        return len(error.args[1])
    return 0
