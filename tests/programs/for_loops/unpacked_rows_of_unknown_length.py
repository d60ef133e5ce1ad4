"""Items whose length only the graph knows are unpacked in a loop and in a comprehension."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def unpacked_rows_of_unknown_length(n):
    rows = [[i + 5] * (i + 1) for i in range(n)]
    ends = []
    for first, *rest in rows:
        ends.append((first, len(rest)))
    return ends, [first for first, *_ in rows]
