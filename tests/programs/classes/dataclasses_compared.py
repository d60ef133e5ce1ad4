"""A dataclass is compared by its fields, unless it says itself how, and ordered if it may be."""

from dataclasses import dataclass, field

STAGES = ()
CASES = [(4, 5), (5, 4), (4, 4)]


@dataclass(order=True)
class Version:
    major: int
    minor: int = 0
    note: str = field(default="", compare=False)


@dataclass
class Ticket:
    number: int
    priority: int

    def __eq__(self, other):
        return self.priority == other.priority

    def __lt__(self, other):
        return self.priority > other.priority


def dataclasses_compared(x, y):
    old, new = Version(x, 1, "old"), Version(y, 0, "new")
    versions = [old < new, old >= new, old == Version(x, 1), (old, x) == (new, y)]
    newest = max(old, new, Version(4, 4)).minor, sorted([old, new])[0].major
    first, second = Ticket(x, y), Ticket(1, x)
    tickets = [first < second, first == second, first in [second], min(first, second).number]
    return versions, newest, tickets, [first, 1] == [second, 1], (first, x) < (second, y)
