"""A context manager made of a generator: its body branches on the tensor it is given."""

import contextlib

STAGES = ("cond",)
CASES = [(3,), (-4,)]


@contextlib.contextmanager
def magnitude(x):
    if x > 0:
        size = x
    else:
        size = -x
    yield size


def manager_of_generator(x):
    with magnitude(x) as size:
        return size * 10 + 1
