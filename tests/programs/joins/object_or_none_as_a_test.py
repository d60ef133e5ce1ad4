"""An object that is None on one path is true where it is there."""

STAGES = ("cond", "while_loop")
ALWAYS = {"return counter.value, 1 if counter else 2": "None has returned before"}
CASES = [(3,), (0,), (12,), (7,)]


class Counter:
    def __init__(self, value):
        self.value = value


def object_or_none_as_a_test(n):
    counter = None
    if n > 0:
        counter = Counter(n)
    while counter and counter.value < 10:
        counter.value += 3
    if not counter:
        return -1, 0
    return counter.value, 1 if counter else 2
