"""Functions that consist of a docstring, of `...` or of `pass` are called and give `None`."""

PYTHON_ONLY = "returns None"
CASES = [(1,), (0,)]


def empty_bodies(x):
    def documented(x):
        """Only says so."""

    def dotted(x): ...

    def passed(x):
        pass

    if x:
        return documented(x), dotted(x), passed(x), documented.__doc__
    return dotted(x)
