"""Gradients through a list that grows in a loop, and through one that items are popped from."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(2.0, 4), (3.0, 1), (0.5, 0)]


def gradients_of_a_grown_list(x, turns):
    x = rt.convert_to_tensor(x)
    with rt.GradientTape() as tape:
        tape.watch(x)
        powers = [x]
        for _ in range(turns):
            powers.append(powers[-1] * x)
        total = 0.0
        while len(powers) > 1:
            total = total * 2.0 + powers.pop()
        total = total + powers[0]
    return tape.gradient(total, x)
