"""After a loop its variable is the last item, the one it broke off at, or its value before."""

STAGES = ("while_loop", "cond")
CASES = [(6,), (2,), (0,), (1,)]


def loop_variable_kept(n):
    i = -7
    for i in range(n):
        pass
    j = -8
    for j in range(n):
        if j == 3:
            break
    return i, j
