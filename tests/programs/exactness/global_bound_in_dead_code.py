"""A global that only code after the `return` would bind."""

PYTHON_ONLY = "globals"
CASES = [()]


def global_bound_in_dead_code():
    global CASES
    return len(CASES)
    CASES = []
