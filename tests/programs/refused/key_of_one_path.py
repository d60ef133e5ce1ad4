"""A key that only one path makes: how many items the dictionary has would differ."""

REFUSED = "ContainerMutationError"
CASES = [(3,), (-3,)]


def key_of_one_path(x):
    table = {"sum": 0}
    if x > 0:
        table["last"] = x
    return table["sum"]
