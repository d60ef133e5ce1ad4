"""A `return` in the inner of two loops leaves both, and the `with`s around them, one by one."""

PYTHON_ONLY = "a log"
CASES = [([[1, 2], [3, 9], [5]], 4), ([[1], [2]], 4), ([[]], 0), ([[7, 8]], 4)]


class Scope:
    def __init__(self, log, name):
        self.log, self.name = log, name

    def __enter__(self):
        self.log.append(("enter", self.name))

    def __exit__(self, *error):
        self.log.append(("exit", self.name, error[0]))


def return_through_with(rows, limit):
    log = []
    for row in rows:
        with Scope(log, "row"), Scope(log, "item"):
            try:
                for v in row:
                    if v > limit:
                        return v, log
                    log.append(v)
            finally:
                log.append("finally")
    return -1, log
