"""`__exit__` runs when the graph raises inside of a `with`, and only then sees an exception."""

STAGES = ("try_except", "cond")
CASES = [(7,), (3,)]


class Watch:
    entered = left = failed = 0

    def __enter__(self):
        self.entered = self.entered + 1
        return self

    def __exit__(self, kind, error, traceback):
        self.left = self.left + 1
        if kind is not None:
            self.failed = self.failed + 1


def manager_sees_raise(n):
    try:
        with Watch() as watch:
            if n > 5:
                raise ValueError
    except ValueError:
        pass
    return watch.entered, watch.left, watch.failed
