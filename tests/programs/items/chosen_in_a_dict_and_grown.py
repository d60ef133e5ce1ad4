"""One of two lists of a dict is chosen in a loop and grows: the one that was taken does."""

STAGES = ("while_loop", "cond")
CASES = [(0,), (3,), (1,)]


def chosen_in_a_dict_and_grown(n):
    halves = {"even": [], "odd": []}
    for i in range(n):
        half = halves["odd"] if i % 2 else halves["even"]
        half.append(i)
    return halves
