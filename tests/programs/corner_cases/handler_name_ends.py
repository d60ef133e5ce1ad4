"""The name of a handler is unbound after it, for reading, for `locals()` and for `del`."""

PYTHON_ONLY = "exceptions"
CASES = [(0, "read"), (0, "locals"), (0, "del"), (1, "read"), (1, "locals"), (1, "del")]


def handler_name_ends(x, use):
    error = "before"
    try:
        1 // x
    except ZeroDivisionError as error:
        kept = str(error)
    else:
        kept = "none"
    if use == "read":
        return error, kept
    if use == "locals":
        return sorted(locals()), kept
    del error
    return "error" in locals(), kept
