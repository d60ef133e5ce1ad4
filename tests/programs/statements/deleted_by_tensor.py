"""`del` in one branch: the name is unbound on that path, and an error only where it is used."""

NO_GRAPH = "its error message is in the words of the running Python"
STAGES = ("cond",)
CASES = [(3, 0), (-3, 1), (3, 1)]


def deleted_by_tensor(x, use):
    y = x * 2
    if x > 0:
        del y
    if use > 0:
        return y
    z = 5
    del z
    z = x
    return z
