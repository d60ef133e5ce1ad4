"""`asdict` converts the value of a field, unless that may be None."""

from dataclasses import asdict, dataclass

REFUSED = "StagingError"
CASES = [(3,), (-3,)]


@dataclass
class Node:
    value: object
    next: object


def asdict_of_an_optional_value(x):
    end = None
    if x > 0:
        end = Node(x, None)
    return asdict(Node(x, end))
