"""Entries of a dict counted under a name that a tensor decides."""

STAGES = ("while_loop", "cond")
CASES = [(5,), (0,), (1,)]


def counted_by_name(n):
    counts = {"even": 0, "odd": 0}
    for i in range(n):
        name = "even" if i % 2 == 0 else "odd"
        counts[name] += 1
    return counts
