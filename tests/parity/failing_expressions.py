"""Functions of which an expression fails, each in a way of its own: `f(1)` raises."""

from __future__ import annotations

PROGRAMS = r"""
def f(x): return x + [] + 1
---
def f(x):
    y = x and x.foo or 3
---
def f(x):
    y = x.foo if x.bar else 3
---
def f(x):
    y = (x.foo if x else
         3)
---
def f(x):
    for () in x:
        pass
---
def f(x):
    return [1 for () in x]
---
def f(x):
    Box()[1] += x
class Box:
    def __getitem__(self, i): return []
---
def f(x):
    for i in filter(None, [2]):
        raise StopIteration(list(filter(next, [iter([])])))
---
def f(x):
    return list(filter(x, [2]))
---
def f(x):
    for i in filter(x, [2]):
        pass
---
def f(x):
    return [y for y in map(x, [2])]
---
def f(x):
    return g(1, 2, 3)
def g(a): return a
---
def f(x):
    x.append(3)
---
def f(x):
    a = []
    a.pop()
---
def f(x):
    return [i / 0 for i in range(3) if i]
---
def f(x):
    return [i for i in range(3) if i.foo]
---
def f(x):
    return sum(i / 0 for i in range(3))
---
def f(x):
    return max(x, 2, key=lambda v: v / 0)
---
def f(x):
    return len(x)
---
def f(x):
    return list(map(lambda v: v.foo, [x]))
---
def f(x):
    return range("a")
---
def f(x):
    return undefined_name
---
def f(x):
    return undefined_name(x)
---
def f(x):
    return -x.foo
---
def f(x):
    return f"{x.foo} {x!r}"
---
def f(x):
    return f"{x:zz}"
---
def f(x):
    return x < 3 < [] < 2
---
def f(x):
    return x in 5
---
def f(x):
    return not x.foo
---
def f(x):
    return x or 1 or 2, x and x.foo and 2
---
def f(x):
    return eval("x.foo")
---
def f(x):
    return eval("1 +")
---
def f(x):
    exec("y = 1 / 0")
---
def f(x):
    return (lambda: x.foo)()
---
def f(x):
    return x(3)(4)
---
def f(x):
    return g(x)(
        4,
    )
def g(x): return x
---
def f(x):
    return g(
        x,
        x.foo,
    )
def g(*a): return x
---
def f(x):
    return x if x.foo else 1
---
def f(x):
    return g(*x)
def g(*a): pass
---
def f(x):
    return g(**x)
def g(**a): pass
---
def f(x):
    return print(x, sep=3)
---
def f(x):
    return int("a")
---
def f(x):
    (y := x.foo)
---
def f(x):
    return x @ 3
---
def f(x):
    return x[1:2]
---
def f(x):
    return getattr(x, "foo")
---
def f(x):
    return next(iter([]))
""".strip("\n").split("\n---\n")
