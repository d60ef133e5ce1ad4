"""A handler changes the list of the exception that it raises again."""

REFUSED = "ContainerMutationError"
NAMES = "'args'"
CASES = [(-1,), (2,), (7,)]


def raised_again_with_a_longer_list(x):
    rows = [x]
    try:
        if x < 0:
            raise ValueError("negative", rows)
        if x > 5:
            raise ValueError("large", rows)
    except ValueError:
        rows.append(7)
        raise
    return rows
