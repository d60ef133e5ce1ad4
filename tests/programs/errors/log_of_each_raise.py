"""Two places raise with a list that grows between them: a handler finds it as it was there."""

STAGES = ("try_except",)
CASES = [(3, -1), (-1, 5), (3, 5)]


class Failed(Exception):
    def __init__(self, log):
        super().__init__(len(log))
        self.log = log


def log_of_each_raise(x, y):
    log = []
    try:
        for value in (x, y):
            if value < 0:
                raise Failed(log)
            log.append(value)
    except Failed as error:
        return error.args[0], error.log
    return 2, log
