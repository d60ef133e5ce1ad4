"""Functions made in comprehensions have the names that Python gives them."""

PYTHON_ONLY = "names of functions"
CASES = [(2,)]


def names_in_comprehensions(n):
    made = [lambda: i for i in range(n)]
    made += [g for g in ((lambda: j) for j in range(n))]
    if n:
        made += [k for k in {lambda: h for h in "a"}]
    codes = [f.__code__ for f in made]
    same = all(f.__qualname__ == getattr(f.__code__, "co_qualname", f.__qualname__) for f in made)
    return [code.co_name for code in codes], same
