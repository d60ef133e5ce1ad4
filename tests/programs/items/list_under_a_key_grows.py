"""`groups[key].append(x)` with a key that is known when the graph runs."""

STAGES = ("while_loop",)
STAGED_ONLY = "a tensor is no key of a dict outside of a graph"
CASES = [([4, 7, 9, 2],), ([],), ([4],)]


def list_under_a_key_grows(xs):
    groups = {0: [], 1: [], 2: []}
    for x in xs:
        groups[x % 3].append(x)
    return groups
