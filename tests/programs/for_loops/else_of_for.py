"""The `else` of a `for` over a tensor, with `break`, `continue` and a `return` in it."""

STAGES = ("while_loop", "cond")
CASES = [([1, 2, 3], 2), ([1, 2, 3], 9), ([-1], 9), ([], 2)]


def else_of_for(xs, wanted):
    place = 0
    for v in xs:
        if v < 0:
            continue
        if v == wanted:
            break
        place += 1
    else:
        if place == 0:
            return -1
        place = 100
    return place
