"""A list that is returned grows in the `finally` on the way, and is still that list."""

STAGES = ("while_loop", "cond", "try_except")
CASES = [(7,), (2,), (1,), (0,)]


def returned_list_grows(n):
    log = []

    def found():
        for i in range(n):
            try:
                if i == 1:
                    raise ValueError
                if i == 3:
                    return log
            except ValueError:
                continue
            finally:
                log.append(i)
        return log

    result = found()
    result.append(n)
    return log, result is log
