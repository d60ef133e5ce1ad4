"""`a, b = l` of a list that grew: too few items or too many raise ValueError in a run."""

STAGES = ("while_loop",)
NO_GRAPH = "the words for an unbound name are those of the running Python"
CASES = [(2,), (1,), (3,), (0,)]


def pair_of_a_grown_list(n):
    rows = []
    for i in range(n):
        rows.append([i, n])
    (a, b), first = rows, n
    a.append(7)
    try:
        x, y = range(1, n)
    except ValueError as error:
        return rows, b, first, len(str(error))
    return rows, b, first, x + y
