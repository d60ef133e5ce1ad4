"""A structure returned from a loop, or `None`."""

STAGES = ("while_loop", "cond")
CASES = [(3,), (-3,), (1,)]


def structure_or_none(x):
    for i in range(x):
        if i == 1:
            return (i, {"a": x})
    return None
