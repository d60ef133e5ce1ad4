"""A KeyError for a key that is a tensor holds that key."""

STAGED_ONLY = "a tensor is no key of a dict without a graph"
STAGES = ("try_except",)
CASES = [(1,), (9,)]


def key_of_the_error(x):
    try:
        return {1: 10, 2: 20}[x]
    except KeyError as error:
        return error.args[0] + 1
