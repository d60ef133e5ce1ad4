"""The properties known of one of several exceptions: by its class, by a pattern, by `getattr`."""

STAGES = ("try_except", "cond")
CASES = [(7,), (4,), (2,), (0,)]


class Busy(Exception):
    def __init__(self, text, wait):
        super().__init__(text)
        self.wait = wait


def one_of_two_errors(n):
    try:
        if n > 5:
            raise Busy("busy", n)
        if n > 3:
            raise KeyError("k")
        return 10 // n, False, 0
    except (Busy, KeyError, ZeroDivisionError) as e:
        match e:
            case Busy(wait=wait):
                return wait, hasattr(e, "wait"), e.wait
        return getattr(e, "wait", -1), hasattr(e, "wait"), -2
