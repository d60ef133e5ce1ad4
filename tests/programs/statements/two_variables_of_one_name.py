"""The generator of a manager has a variable of the name that one of the body's has, too."""

from contextlib import contextmanager
from types import SimpleNamespace

STAGES = ("try_except",)
CASES = [(2,), (7,), (0,)]


@contextmanager
def resetting(box):
    try:
        yield
    except KeyError:
        box.size = -1


def two_variables_of_one_name(n):
    box, other = SimpleNamespace(size=n), SimpleNamespace(size=10)
    with resetting(other):
        if n > 5:
            raise KeyError(n)
        box.size += 100
    return box.size, other.size
