"""A `return` leaves two loops and a context manager; without one, the next code is reached."""

from contextlib import contextmanager

STAGES = ("cond", "while_loop")
ALWAYS = {"for v in row:": "a matrix without columns is no list of lists of numbers"}
CASES = [([[1, 2], [3, 9]], 2), ([[1, 2], [3, 9]], 10), ([], 2), ([[1, 2]], 2)]


@contextmanager
def scope(log):
    log.append(1)
    try:
        yield
    finally:
        log.append(-1)


def return_through_with_in_loops(rows, limit):
    log = []
    for row in rows:
        with scope([]):
            for v in row:
                if v > limit:
                    return v
    with scope(log):
        return -len(log)
