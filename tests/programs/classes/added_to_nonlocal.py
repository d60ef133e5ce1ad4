"""An object made before the trace is added to, through a variable of a function further out."""

STAGES = ("cond",)
CASES = [(2,), (9,)]


class Meter:
    def __init__(self, limit):
        self.limit = limit

    def __add__(self, x):
        if x > self.limit:
            result = self.limit
        else:
            result = x
        return result


def adding_to(kept):
    def add(x):
        nonlocal kept
        meter = kept
        kept += x
        result, kept = kept, meter
        return result

    return add


add = adding_to(Meter(3))


def added_to_nonlocal(x):
    return add(x) * 10
