"""Called in a loop, functions change a global, a default and an attribute of their own."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]
level = 0


def raise_level(by):
    global level
    level = level + by
    raise_level.calls = raise_level.calls + 1


raise_level.calls = 0


def remember(value, seen=[0, 0]):
    seen[0], seen[1] = value, seen[0]
    return seen


def globals_of_called_functions(n):
    global level
    for i in range(n):
        raise_level(i)
        remember(i * 2)
    result = level, raise_level.calls, remember(0)[1]
    remember(0)
    level, raise_level.calls = 0, 0
    return result
