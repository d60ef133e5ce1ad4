"""The test of a `while` is Python's for some iterations and a tensor's then; its `else` runs."""

STAGES = ("cond", "while_loop")
ALWAYS = {"while i < 3:": "i starts at zero"}
CASES = [(1,), (9,), (3,), (5,)]


def condition_becomes_tensor_after_iterations(x):
    i = 0
    while i < 3:
        i = i + 1
        if x > i:
            i = i + x
        if i == 6:
            break
    else:
        i = i + 1000
    return i
