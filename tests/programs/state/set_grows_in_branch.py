"""A set that grows on one path."""

REFUSED = "ContainerMutationError"
NAMES = "'seen'"
CASES = [(3,), (-3,)]


def set_grows_in_branch(x):
    seen = {1}
    if x > 0:
        seen.add(2)
    return len(seen)
