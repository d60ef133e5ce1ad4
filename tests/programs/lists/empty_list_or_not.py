"""A conditional expression with an empty list on one side."""

STAGES = ("cond",)
ALWAYS = {"for v in items:": "it has no item or two"}
CASES = [(3,), (-3,)]


def empty_list_or_not(x):
    items = [] if x < 0 else [x, 1]
    total = 0
    for v in items:
        total += v
    return items, total, len(items)
