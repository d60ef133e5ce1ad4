"""`del` of a variable, an element, a slice and an attribute."""

PYTHON_ONLY = "del"
CASES = [([1, 2, 3, 4], True), ([1, 2, 3, 4], False)]


def deleted_names(xs, early):
    if early:
        del xs[0]
    marker = 1
    del marker
    marker = "bound again"
    del xs[1:2]
    table = {"a": 1, "b": 2}
    del table["a"]
    return xs, marker, table
