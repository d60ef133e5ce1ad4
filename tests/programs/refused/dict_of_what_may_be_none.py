"""`asdict` takes apart what a field holds, unless that may be None."""

from dataclasses import asdict, dataclass

REFUSED = "StagingError"
CASES = [(3,), (-3,)]


@dataclass
class Node:
    value: object
    next: object


def dict_of_what_may_be_none(x):
    end = None
    if x > 0:
        end = Node(x, None)
    return asdict(Node(x, end))
