"""`global` in a function that changes the variable inside a loop."""

PYTHON_ONLY = "a global variable"
CASES = [(4,), (0,)]

calls = 0


def global_variable(n):
    global calls
    calls = 0
    for i in range(n):
        if i % 2:
            calls += i
    return calls
