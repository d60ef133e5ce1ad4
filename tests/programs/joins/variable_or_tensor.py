"""A variable on one path, a tensor on the other; and a variable that a loop starts from."""

import runtime as rt

STAGES = ("cond", "while_loop")
CASES = [(3,), (1,), (-3,)]

level = rt.Variable(10)


def variable_or_tensor(x):
    chosen = level if x > 2 else x
    total = level
    for i in range(x):
        total = total + i
    return chosen + 1, total + 0
