"""`while True` that only a `break` can end."""

STAGES = ("while_loop",)
CASES = [(3,), (100,)]


def while_true_break(x):
    steps = 0
    while True:
        x = x + steps
        if x > 20:
            break
        steps += 1
    return x, steps
