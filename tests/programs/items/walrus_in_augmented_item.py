"""The value added to an item binds a name, after the item was read."""

STAGES = ("cond", "while_loop")
CASES = [([4, 5, 6], 1), ([4, 5, 6], 0), ([1, 1, 8], 3)]
ARRAYS = True
STAGED_ONLY = "eager tensors cannot change"


def walrus_in_augmented_item(values, n):
    last = 0
    for i in range(n):
        values[i] += (last := values[i] * 2)
        if last > 9:
            values[0] -= (last := 1)
    return values, last
