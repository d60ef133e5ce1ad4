"""A list shows its items in a text though only the run knows how many there are."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def text_of_a_grown_list(n):
    squares, pairs = [], []
    for i in range(n):
        squares.append(i * i)
        pairs.append((f"item {i}", None if i == 1 else [i / 2]))
    shown = f"{squares} and {pairs!r:>4}" + str({"all": pairs[1:]})
    if len(squares) > 2:
        raise ValueError(f"too many: {squares}")
    return shown, "{0} {1[0]}".format(squares, [squares + [7]])
