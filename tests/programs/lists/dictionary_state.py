"""Entries of a dictionary as the state of a loop."""

STAGES = ("while_loop", "cond")
CASES = [([3, -1, 4],), ([-2],), ([],)]


def dictionary_state(xs):
    seen = {"positive": 0, "sum": 0}
    for v in xs:
        seen["sum"] = seen["sum"] + v
        if v > 0:
            seen["positive"] = seen["positive"] + 1
    return seen["positive"], seen["sum"]
