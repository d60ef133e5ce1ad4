"""A function has its attributes, its name and its default, which every call shares."""

PYTHON_ONLY = "attributes of functions"
CASES = [(3,), (0,)]


def attributes_of_functions(x, seen=[]):
    def inner(y, *, z=2):
        """Counts its true arguments."""
        if y:
            inner.calls = getattr(inner, "calls", 0) + 1
        return y

    seen.append(x)
    for _ in range(x):
        inner(x)
    del seen[:-1]
    names = inner.__name__, inner.__qualname__[-5:], inner.__doc__, inner.__kwdefaults__
    return vars(inner), names, seen, attributes_of_functions.__defaults__[0] is seen
