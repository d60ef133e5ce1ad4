"""The generator of a context manager sees at its `yield` the exceptions of the graph's run."""

import contextlib

STAGES = ("try_except", "cond")
CASES = [(7,), (3,)]


@contextlib.contextmanager
def transaction(account, log):
    before = account["sum"]
    try:
        yield account
    except KeyError:
        account["sum"] = before
        raise
    finally:
        log.append(account["sum"])


def rollback_by_generator(n):
    account, log = {"sum": 1}, []
    try:
        with transaction(account, log) as inside:
            inside["sum"] = 2
            if n > 5:
                raise KeyError
    except KeyError:
        log.append(n)
    return account, log
