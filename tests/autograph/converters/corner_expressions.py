"""Corner cases of expressions, targets, calls and patterns."""

from __future__ import annotations

from tests.autograph.converters.reference import Case

CASES = {
    "stars_in_calls": Case(
        """
def f(*args, a=1, **kw):
    def g(x, *r, k=0, **q): return x, r, k, q
    return g(t(1), *[t(2), t(3)], t(4), k=t(5), **{'z': t(6)}), g(*(1,2), **dict(k=3)), g(0, k=2)
""",
        ((4,),),
    ),
    "comparisons": Case(
        """
def f(x):
    return 0 < t(x) < 5, t(x) < 2 < t(3) < t(1), x in (1,2) in [True], not x
""",
        (
            (4,),
            (0,),
        ),
    ),
    "assertions_and_items": Case(
        """
def f(x):
    assert x, t('bad')
    d = {}
    d['k'] = x
    d['k'] += 1
    l = [1,2,3]
    l[0:2] = [x]
    l[-1] = l[0]
    l.append(l.pop() + 1)
    l.append(4)
    a = l[0] = 9
    for d['q'] in range(x): pass
    (l[0], *rest), o.v = (1, 2, 3), 4
    return d, l, a, l.pop(0), l, rest
""",
        (
            (4,),
            (0,),
            (1,),
        ),
    ),
    "lambdas_in_a_comprehension": Case(
        """
def f(x):
    fs = [lambda: (x if x > 1 else -x) for x in range(x)]
    return [g() for g in fs], (lambda y, z=t(x): y and z)(1)
""",
        ((3,),),
    ),
    "walrus_in_tests": Case(
        """
def f(x):
    if (y := x) > 2 and (z := y):
        y += z
    while (w := y) and (y := y - 1):
        if w == 3: break
    return y, w
""",
        (
            (3,),
            (1,),
        ),
    ),
    "shadowed_builtins": Case(
        """
def f(x):
    print = t
    dict = 3
    def g(**k): return k
    print(x)
    return g(a=dict)
""",
        ((3,),),
    ),
    "imports_in_branches": Case(
        """
def f(x):
    import os, os.path as p
    if x:
        import math as m
        from math import pi
    else:
        m = None
    return m is None, p is os.path
""",
        (
            (3,),
            (0,),
        ),
    ),
    "f_strings": Case(
        """
def f(x):
    if x:
        return f'{x!r:>{x+2}} {x if x else 0}'
""",
        (
            (3,),
            (0,),
        ),
    ),
    "walrus_in_a_generator": Case(
        """
def f(x):
    if any((y := v) > x for v in range(4)):
        return y
    return 'no'
""",
        (
            (0,),
            (2,),
            (9,),
        ),
    ),
    "match_statement": Case(
        """
def f(x):
    match x:
        case [a, *b]:
            if a: return b
        case {'k': v, **r}:
            for i in range(v):
                if i == 2: return r
        case int() | str() as q if q:
            x = q
        case _:
            return 'none'
    return x
""",
        (
            ([1, 2],),
            ({"k": 3, "z": 1},),
            ({"k": 1},),
            (5,),
            (0,),
            (None,),
        ),
    ),
    "except_star": Case(
        """
def f(x):
    try:
        try:
            raise ExceptionGroup('g', [ValueError(1), KeyError(2)])
        except* ValueError as g:
            if x: t(len(g.exceptions))
        except* KeyError:
            t('k')
        finally:
            if x: return 'f'
    except Exception as e:
        return 'esc'
    return 'end'
""",
        (
            (0,),
            (1,),
        ),
        since=(3, 11),
    ),
    "recursion": Case(
        """
def f(n): return 0 if n == 0 else 1 + f(n - 1)
""",
        ((100,),),
    ),
    "odd_loop_targets": Case(
        """
def f(x):
    i = 0
    for i, (o.v, *q) in [(1, (2, 3)), (4, (5,))]:
        if q: continue
        x += i
    return i, x, q
""",
        ((0,),),
    ),
    "decorated_nested_function": Case(
        """
def f(x):
    @staticmethod
    def g(a: int = t(3), *, b: 'str' = t(4)) -> int:
        return a
    class K(*[object], metaclass=type): pass
    return g.__func__() if hasattr(g, '__func__') else 0
""",
        ((0,),),
    ),
    "starred_return": Case(
        """
def f(x):
    return *x, 1
""",
        (([1],),),
    ),
    "decorators_of_nested_functions": Case(
        """
def f(x):
    def deco(fn):
        t('deco'); return fn
    @deco
    def g(y):
        if y: return g(y - 1)
        return 'end'
    class C:
        @deco
        @property
        def p(self):
            if x: return 1
            return 2
    return g(x), C().p
""",
        (
            (2,),
            (0,),
        ),
    ),
    "augmented_items": Case(
        """
def f(x):
    y = [0]
    y[0] += 1
    y[0:1] += [2]
    z = y
    if x: y += [5]
    return z is y, y
""",
        (
            (0,),
            (1,),
        ),
    ),
    "comprehensions": Case(
        """
def f(x):
    pairs = [a if a else b for a in range(2) for b in range(x) if a or b and not a]
    table = {k: v for k, v in zip(range(x), range(x)) if k}
    return pairs, table, {*range(x)}, sum(i for i in range(x) if i)
""",
        (
            (0,),
            (3,),
        ),
    ),
    "defaults_catch_values": Case(
        """
def f(x):
    r = []
    for i in range(3):
        r.append((lambda: i, lambda i=i: i))
    g = (i for _ in range(2))
    i = 7
    return [(a(), b()) for a, b in r], list(g)
""",
        ((0,),),
    ),
    "tuple_targets_rebound": Case(
        """
def f(x):
    a = b = 0
    for a, b in [(1,2),(3,4)]:
        a, b = b, a
        if a == x: break
    return a, b
""",
        (
            (0,),
            (2,),
        ),
    ),
    "variables_bound_on_some_paths": Case(
        """
def f(x):
    if x: a = 1
    if not x: a = 2
    if x: b = a
    else: b = -a
    for i in range(b): last = i
    return last if b > 0 else b
""",
        (
            (0,),
            (2,),
        ),
    ),
    "assertion_messages": Case(
        """
def f(x):
    assert isinstance(x, int), f'{x!r} bad {x if x else 0}'
    assert (y := x) >= 0, (z := 'neg')
    return y
""",
        (
            (0,),
            (-2,),
            ("s",),
        ),
    ),
}
