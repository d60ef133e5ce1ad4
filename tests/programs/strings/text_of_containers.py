"""`str`, `repr` and `format` of containers with tensors in them show the values of the run."""

STAGES = ("cond",)
CASES = [(3.0,), (-3.0,)]
STAGED_ONLY = "the text of an eager tensor is not that of a number"


def text_of_containers(x):
    n = 1 if x > 0 else 2
    name = "up" if x > 0 else None
    return str((n, "a")), repr([n, {"k": name}]), format((n,)), "%r" % ([name],)
