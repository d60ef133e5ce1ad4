"""A name that may be unbound, in the operand of `and` that Python does not get to."""

NO_GRAPH = "the words for an unbound name are those of the running Python"
STAGES = ("while_loop",)
ALWAYS = {"while turns < n and limit > turns:": "the limit is one"}
CASES = [(0,), (3,), (101,)]


def unbound_operand(n):
    if n > 100:
        limit = 1
    turns = 0
    while turns < n and limit > turns:
        turns += 1
    return turns
