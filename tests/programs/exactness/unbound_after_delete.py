"""Using a variable after `del` raises, and the exception variable of `except` ends with it."""

PYTHON_ONLY = "an unbound variable"
CASES = [(0,), (1,), (2,)]


def unbound_after_delete(kind):
    value = "still here"
    if kind == 0:
        del value
    try:
        {}["missing"]
    except KeyError as error:
        text = str(error)
    if kind == 1:
        return error
    return value, text
