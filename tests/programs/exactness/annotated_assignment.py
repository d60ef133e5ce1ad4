"""Annotated assignments inside branches and loops, and bare annotations."""

STAGES = ("cond", "while_loop")
CASES = [(3,), (-3,), (1,), (0,)]


def annotated_assignment(x):
    y: int
    if x > 0:
        y: int = x
    else:
        y: int = -x
    for i in range(y):
        z: int = i
        x = x + z
    return x, y
