"""`x = x` is a statement like others: it reads, and may be one of several targets."""

PYTHON_ONLY = "attributes, and a variable that is not bound"
CASES = [(1,), (0,)]


class Box:
    v = 0


def assigned_to_itself(n):
    box = Box()
    try:
        n = n
    finally:
        n = box.v = n
    match n:
        case 1:
            n = n
        case _:
            late = late
    return n, box.v
