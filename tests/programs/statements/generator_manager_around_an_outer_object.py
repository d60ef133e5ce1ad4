"""The body of a `with` on a generator changes an object of the module, and may raise."""

from contextlib import contextmanager
from types import SimpleNamespace

STAGES = ("try_except",)
NO_GRAPH = "the words for an unbound name are those of the running Python"
CASES = [(2,), (7,), (0,)]
outer = SimpleNamespace()


@contextmanager
def guarding(box):
    try:
        yield box
    except KeyError:
        box.failed = True


def generator_manager_around_an_outer_object(n):
    outer.size = n
    with guarding(SimpleNamespace(failed=False)) as inner:
        if n > 5:
            raise KeyError(n)
        outer.size += 10 // (n + 1)
    return outer.size, inner.failed
