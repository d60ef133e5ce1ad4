"""A loop that may be left calls `iter` of its iterable once."""

CASES = [(4,), (1,)]
PYTHON_ONLY = "the iterable is an object of a class"


def iterator_created_once(n):
    asked = []

    class Steps:
        def __init__(self):
            self.at = 0

        def __iter__(self):
            asked.append(self.at)
            return self

        def __next__(self):
            self.at += 1
            if self.at > n:
                raise StopIteration
            return self.at

    for step in Steps():
        if step == 2:
            break
    return asked, step
