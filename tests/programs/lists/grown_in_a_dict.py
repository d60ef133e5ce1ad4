"""A list in a dict grows in a loop."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def grown_in_a_dict(n):
    d = {"a": [], "b": 0}
    for i in range(n):
        d["a"].append(i)
        d["b"] = d["b"] + i
    return d
