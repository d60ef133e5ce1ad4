"""`get` of Python's own Mapping catches a KeyError that may be raised when the graph runs."""

from collections.abc import Mapping

REFUSED = "StagingError"
NAMES = "`get`"
CASES = [(-1,), (4,)]


class Prices(Mapping):
    def __init__(self, base):
        self.base = base

    def __getitem__(self, key):
        if self.base < 0:
            raise KeyError(key)
        return self.base * 2

    def __iter__(self):
        return iter(["a"])

    def __len__(self):
        return 1


def mixin_of_a_mapping(base):
    return Prices(base).get("a", -7)
