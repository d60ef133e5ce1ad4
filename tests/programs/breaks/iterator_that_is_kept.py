"""An iterator of the user's own class, looked at after a loop that a tensor leaves early."""

STAGES = ("while_loop",)
ALWAYS = {"for x in down:": "there are five"}
CASES = [(3,), (9,), (4,)]


class Countdown:
    def __init__(self, left):
        self.left = left

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


def iterator_that_is_kept(n):
    down = Countdown(5)
    for x in down:
        if x == n:
            break
    return down.left
