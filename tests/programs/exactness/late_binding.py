"""Closures made in a loop share the loop variable; a default argument keeps its value."""

PYTHON_ONLY = "identity of cells"
CASES = [(3,), (1,)]


def late_binding(n):
    shared = []
    fixed = []
    for i in range(n):
        shared.append(lambda: i)
        fixed.append(lambda i=i: i)
    return [f() for f in shared], [f() for f in fixed]
