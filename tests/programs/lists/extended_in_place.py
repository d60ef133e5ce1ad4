"""`l += other` changes the list under all its names, though the graph alone knows its items."""

STAGES = ("while_loop", "cond")
CASES = [(3,), (0,), (1,)]


def extended_in_place(n):
    kept = grown = []
    for i in range(n):
        grown += (i, i * 2)
        grown.append(7)
        if i > 0:
            grown += [i]
    whole = both = [1]
    both += grown
    grown *= 2
    kept += [n]
    return kept, kept is grown, whole, whole is both
