"""Literals and signatures that are easily misprinted."""

PYTHON_ONLY = "it is about how code is printed"
CASES = [(3,), (0,)]


def rare_literals(x):
    def signature(a, /, b=-(2**-1), *, c=1e999, **rest):
        return a, b, c, rest

    width, kinds = 6, (2j, -1e-9, 0x1F, 1_000, b"\x00", -(1 + 2j), (-2) ** 2, -(2**2))
    table = {(1, 2): x, (*range(2), x): -x}
    text = f"{x!r:>{width}}{'{'}{ {'a': x}['a'] }{x:{width}d}{f'{x}' * 2}"
    if x:
        return signature(x, c=3, d=4), kinds, text, table[0, 1, x]
    return signature(x), kinds, text, [*table]
