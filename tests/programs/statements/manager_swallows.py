"""An `__exit__` decides by the class of the exception whether the statement swallows it."""

STAGES = ("try_except", "cond")
CASES = [(7,), (-7,), (3,)]


class Swallowing:
    def __init__(self, kinds):
        self.kinds, self.told = kinds, []

    def __enter__(self):
        return self.told

    def __exit__(self, kind, error, traceback):
        self.told.append(0 if kind is None else len(kind.__name__))
        return kind is not None and issubclass(kind, self.kinds)


def manager_swallows(n):
    y = 0
    with Swallowing(LookupError) as told:
        if n > 5:
            raise KeyError(n)
        if n < -5:
            raise ValueError("low")
        y = n
    return y, told
