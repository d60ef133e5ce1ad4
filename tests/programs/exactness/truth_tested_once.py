"""The truth of each operand of `and`, `or` and a comparison is tested once, wherever it stands."""

PYTHON_ONLY = "objects that count how often they are asked"
CASES = [(0,), (1,)]


class Asked:
    def __init__(self, truth):
        self.truth, self.times = truth, 0

    def __bool__(self):
        self.times += 1
        return self.truth > 0


def truth_tested_once(n):
    first, second = Asked(n), Asked(1 - n)
    found = "neither"
    if first or second:
        found = "one"
    while not first and found:
        found = ""
    chosen = "both" if first and second else found
    return chosen, [1 for _ in "ab" if first or n], first.times, second.times
