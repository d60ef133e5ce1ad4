"""`nonlocal` reaches through a function in between, and `global` past both, from inside blocks."""

PYTHON_ONLY = "writes a global"
CASES = [(3,), (0,)]
shared = 0


def nonlocal_through_levels(x):
    def middle():
        def inner(y):
            nonlocal x, z
            if y > 0:
                global shared
                shared = x + y
                x = x * 2
            for z in range(y):
                if z:
                    break
            return z

        z = -1
        return inner(x), z, inner(0), z

    result = middle()
    return result, x, shared
