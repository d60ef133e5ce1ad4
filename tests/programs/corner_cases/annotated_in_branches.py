"""Annotated assignments in branches and loops are assignments; a bare annotation is nothing."""

STAGES = ("cond", "while_loop")
CASES = [(3.5,), (-3.5,), (1.0,), (0.0,)]


def annotated_in_branches(x):
    z: int  # noqa: F842
    total: float = x * 0.0
    if x > 0:
        y: float = x
    else:
        y: "never evaluated" = -x  # noqa: F722
    while total < y:
        step: Missing[x] = 1.0
        total = total + step
    return y, total
