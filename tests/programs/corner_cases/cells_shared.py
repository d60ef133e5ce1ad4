"""Functions that close over one variable hold one cell, whatever changes the variable."""

PYTHON_ONLY = "identity of cells"
CASES = [(3,), (1,), (0,)]


def cells_shared(n):
    last = -1
    early = lambda: last
    made = [early]
    for last in range(n):
        made.append(lambda: last)
        if last > 1:
            break

    def change(v):
        nonlocal last
        last = v

    before = [f() for f in made]
    change("changed")
    cells = {id(f.__closure__[0]) for f in [*made, change]}
    return before, [f() for f in made], len(cells), change.__code__.co_freevars
