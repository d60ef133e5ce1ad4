"""An item of a tensor that an object holds is assigned in a branch, by a number and by a tensor."""

STAGES = ("cond",)
CASES = [([1, 2, 3], 2), ([1, 2, 3], 0), ([4, 5, 6], -1)]
ARRAYS = True
STAGED_ONLY = "eager tensors cannot change"


class Weights:
    def __init__(self, values):
        self.values = values


def item_of_an_attribute_on_one_path(x, n):
    held, table = Weights(x), {"row": x + 1}
    if n > 0:
        held.values[0] = 10
        held.values[n] += 20
        table["row"][1] = 50
    return held.values, table["row"]
