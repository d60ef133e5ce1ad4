"""An item of a list is the index at which it is assigned: a tensor from the second iteration on."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (2,), (3,)]


def item_at_an_item_of_itself(x):
    places = [x, 1]
    for _ in range(x):
        places[places[-1]] = 0
    one, at = [5], 0
    for _ in range(x):
        one[at] = x
        at = one[0] - x
    return places, one
