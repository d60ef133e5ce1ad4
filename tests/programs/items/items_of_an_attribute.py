"""Items of a tensor in an attribute and in a dict."""

STAGES = ("while_loop",)
CASES = [([1, 2, 3], 2), ([1, 2, 3], 0), ([1, 2, 3], 1)]
ARRAYS = True
STAGED_ONLY = "eager tensors cannot change"


class Holder:
    """Holds a tensor."""

    def __init__(self, x):
        self.x = x + 0


def items_of_an_attribute(x, n):
    holder = Holder(x)
    holder.x[0] = 4
    holder.x[1] += 4
    entries = {"a": x * 2}
    for i in range(n):
        entries["a"][i] += i
    return holder.x, entries
