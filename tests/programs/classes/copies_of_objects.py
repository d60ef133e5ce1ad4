"""`copy` and `dataclasses` make copies of objects that hold tensors, and of one of two objects."""

import copy
from dataclasses import asdict, astuple, dataclass, replace

STAGES = ("cond", "while_loop")
CASES = [(3,), (0,), (6,), (1,)]


@dataclass
class Track:
    length: object
    names: list


def copies_of_objects(n):
    best, short = Track(n, [n]), None if n > 4 else n
    for i in range(n):
        track = Track(i, [i, n])
        if i % 2:
            best = copy.deepcopy(track)
            track.names.append(7)
    other = Track(n + 1, [n])
    chosen = best if n > 1 else other
    twin = copy.copy(chosen)
    twin.length += 100
    whole = copy.deepcopy([n, {"k": short}])
    return best, chosen.length, twin.length, whole, asdict(other), astuple(replace(other, names=[]))
