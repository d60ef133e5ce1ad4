"""A loop iterates over pairs of a list and a dict, and changes both."""

STAGES = ("while_loop",)
CASES = [([1, 2, 3],), ([],), ([1],)]


def pairs_of_containers_changed(xs):
    pairs = []
    for x in xs:
        pairs.append(([x], {"sum": x}))
    for values, total in pairs:
        values.append(1)
        total["sum"] += len(values)
    return pairs
