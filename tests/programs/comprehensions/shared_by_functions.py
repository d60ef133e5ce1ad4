"""Functions made in a comprehension share its variable, as they do in Python."""

STAGES = ()
CASES = [(3,), (-2,)]


def shared_by_functions(x):
    late = [lambda: k * x for k in (1, 2, 3)]
    early = [lambda k=k: k * x for k in (1, 2, 3)]
    return [f() for f in late], [f() for f in early]
