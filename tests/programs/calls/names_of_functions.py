"""The names and the docstring of a function inside converted code."""

STATIC = (1,)
STAGES = ("cond",)
CASES = [(3, 1), (-3, 1)]


def names_of_functions(x, n):
    """Says so."""

    def inner(v):
        """Inside."""
        return v if v > 0 else n

    known = len(inner.__name__) + len(inner.__doc__) + len(names_of_functions.__qualname__)
    return inner(x) + known
