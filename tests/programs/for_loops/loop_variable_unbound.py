"""Without an iteration the loop variable is unbound; using it raises."""

NO_GRAPH = "its error message is in the words of the running Python"
STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def loop_variable_unbound(n):
    for i in range(n):
        pass
    return i
