"""`__getattr__` is asked where a property raises AttributeError, which a tensor decides on."""

REFUSED = "StagingError"
NAMES = "'side'"
CASES = [(-1,), (4,)]


class Area:
    def __init__(self, size):
        self.size = size

    @property
    def side(self):
        if self.size < 0:
            raise AttributeError("no side")
        return self.size // 2

    def __getattr__(self, name):
        return 77


def property_before_getattr(size):
    return Area(size).side
