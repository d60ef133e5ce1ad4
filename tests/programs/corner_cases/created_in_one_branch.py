"""Attributes and items created in one branch are missing only where they are read."""

PYTHON_ONLY = "missing attributes and items"
CASES = [(1, False), (1, True), (0, False), (0, True)]


class Box:
    pass


def created_in_one_branch(x, use):
    box, table, items = Box(), {}, [0]
    if x:
        box.v = x
        table["k"] = x
        items[0] = x
    try:
        if use:
            return box.v, table["k"], items[0]
    except (AttributeError, KeyError) as error:
        return str(error), vars(box), table, items
    return vars(box), table, items
