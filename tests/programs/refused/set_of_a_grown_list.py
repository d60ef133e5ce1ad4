"""A set tells its items apart, and how many differ is known when the graph runs."""

REFUSED = "StagingError"
CASES = [(3,), (0,)]


def set_of_a_grown_list(n):
    halves = []
    for i in range(n):
        halves.append(i // 2)
    return len(set(halves))
