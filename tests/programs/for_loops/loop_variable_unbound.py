"""Without an iteration the loop variable is unbound; using it raises."""

STAGES = ("while_loop",)
CASES = [(3,), (0,)]


def loop_variable_unbound(n):
    for i in range(n):
        pass
    return i
