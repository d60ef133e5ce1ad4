"""`getattr` gives its default where `__getattr__` may raise AttributeError when the graph runs."""

REFUSED = "StagingError"
NAMES = "getattr"
CASES = [(-1,), (4,)]


class Options:
    def __init__(self, size):
        self.size = size

    def __getattr__(self, name):
        if self.size < 0:
            raise AttributeError(name)
        return self.size * 2


def default_of_an_attribute(size):
    return getattr(Options(size), "width", -1)
