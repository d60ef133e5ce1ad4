"""Values that are equal stay the very values they are."""

import enum

PYTHON_ONLY = "kinds of Python values"
Color = enum.IntEnum("Color", "RED BLUE")
CASES = [(1,), (True,), (1.0,), (0.0,), (-0.0,), ("a",), (b"a",), ((1,),), ([1],), (Color.RED,)]


def literal_kinds(k):
    same = k
    for _ in range(2):
        same = same if same == k else None
    if isinstance(k, bool):
        kind = "truth"
    elif isinstance(k, int):
        kind = "number"
    else:
        kind = "other"
    return type(same).__name__, kind, repr(same), same is k, same == 1
