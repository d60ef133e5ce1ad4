"""A method creates an object for an attribute on one path; another path changes the old one."""

from types import SimpleNamespace

STAGES = ("cond",)
CASES = [(1, 1), (5, 0), (-1, 2), (4, 4)]


class Peaks:
    def __init__(self):
        self.peak = None

    def note(self, x):
        self.peak = SimpleNamespace(value=x)


def object_created_by_a_method(x, y):
    peaks = Peaks()
    for each in (x, y):
        if each > 2:
            peaks.note(each)
        elif peaks.peak is not None:
            peaks.peak.value += 1
    return peaks.peak.value if peaks.peak is not None else -1
