"""The list, dict and object that an exception holds are as they were when it was raised."""

from types import SimpleNamespace

STAGES = ("cond",)
CASES = [(1, -1), (1, 1), (2, -3)]


def grown_after_it_was_raised(x, y):
    rows, seen, last = [x], {"x": x}, SimpleNamespace(value=x, kinds={1})
    if y < 0:
        raise LookupError("negative", rows, (seen, last))
    rows.append(y)
    seen["y"] = y
    last.value = 9
    last.kinds.add(2)
    return len(rows) + len(seen) + last.value
