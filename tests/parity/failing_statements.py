"""Functions of which a statement fails, each in a way of its own: `f(1)` raises."""

from __future__ import annotations

PROGRAMS = r"""
def f(x):
    if x ^ []: pass
---
def f(x):
    assert x < 1 > 1
---
def f(x):
    assert x < 0, x / 0
---
def f(x):
    for i in x: pass
---
def f(x):
    while x.foo: pass
---
def f(x):
    if not x.foo: pass
---
def f(x):
    return g(h(x), x[3])
def g(a, b): return a
def h(x): return x
---
def f(x):
    a = [1]
    a[x + 5] = 4
---
def f(x):
    a = [1]
    a[x + 5] += 4
---
def f(x):
    a = {}
    a['b']['c'] = 4
---
def f(x):
    x.y.z = 1
---
def f(x):
    x.y.z += 1
---
def f(x):
    x += []
---
def f(x):
    del x[0]
---
def f(x):
    a, b = x, 2
    a, b = a
---
def f(x):
    a, *b = x
---
def f(x):
    for a, b in [1]: pass
---
def f(x):
    with x as y: pass
---
def f(x):
    with x.foo() as y, x as z: pass
---
def f(x):
    raise ValueError(x) from x.foo
---
def f(x):
    raise ValueError(x)
---
def f(x):
    try:
        raise KeyError(x)
    except KeyError:
        x.foo
---
def f(x):
    try:
        g(x)
    except KeyError as e:
        raise ValueError('b') from e
def g(x):
    if x:
        raise KeyError(x)
---
def f(x):
    try:
        g(x)
    finally:
        x.foo
def g(x):
    if x:
        raise KeyError(x)
---
def f(x):
    try:
        return 1 / 0
    finally:
        x = 3
---
def f(x):
    return sorted([x, 2], key=g)
def g(v):
    if v: return v.foo
---
def f(x):
    if x > 2:
        y = 1
    return y
---
def f(x):
    for i in range(0):
        y = 1
    print(y + 1)
---
def f(x):
    if x > 2:
        y = 1
    y.append(1)
---
def f(x):
    y = 3
    del y
    return (y +
       2)
---
def f(x):
    import nonexistent_module_q
---
def f(x):
    from os import nonexistent_q
---
def f(x):
    match x:
        case 1 if x.foo: pass
---
def f(x):
    class A:
        def __init__(self, v):
            if v: self.v = v.foo
    return A(x)
---
def f(x):
    def inner(v):
        while v:
            v -= 1
            if not v: v.foo
    inner(3)
---
def f(x):
    def inner(v):
        yield v
        if v: v.foo
    return list(inner(3))
---
def f(x):
    i = 0
    while i < 10:
        i += 1
        if i == 5: break
        if i > 3 and i.foo: continue
    else:
        i = 3
---
def f(x):
    while True:
        x -= 1
        if x < -3: 1/0
---
def f(x):
    while x < 3 and x.foo < 3: pass
---
def f(x):
    assert x.foo
---
def f(x):
    assert not x, "bad"
---
def f(x):
    assert x and not x, (
      "bad" + str(x))
---
def f(x):
    if (y := x) and y.foo: pass
---
def f(x):
    global zz
    del zz
---
def f(x):
    raise
---
def f(x):
    raise 3
---
def f(x):
    if x:
        if x:
            for i in [1]:
                if i: return i.foo
---
def f(x):
    for i in [1, 2]:
        if i == 2: break
        if i: continue
    return i.foo
---
def f(x):
    if bad(x): pass
def bad(x):
    return x.foo
---
def f(x):
    while bad(x): pass
def bad(x):
    return x.foo
---
def f(x):
    for i in bad(x): pass
def bad(x):
    yield 1
    x.foo
---
def f(x):
    class B:
        def __bool__(self): raise ValueError('no')
    if B(): pass
---
def f(x):
    class B:
        def __bool__(self): raise ValueError('no')
    while B(): pass
---
def f(x):
    class B:
        def __bool__(self): raise ValueError('no')
    return not B()
---
def f(x):
    class B:
        def __bool__(self): raise ValueError('no')
    return B() and 3
---
def f(x):
    class B:
        def __bool__(self): raise ValueError('no')
    return 1 if B() else 3
---
def f(x):
    class B:
        def __bool__(self): raise ValueError('no')
    assert B(), "q"
---
def f(x):
    class B:
        def __bool__(self): raise ValueError('no')
        def __lt__(self, o): return self
    return B() < 3 < 4
---
def f(x):
    class B:
        def __iter__(self): raise ValueError('no')
    for i in B(): pass
---
def f(x):
    class B:
        def __iter__(self): return self
        def __next__(self): raise ValueError('no')
    for i in B(): pass
---
def f(x):
    class B:
        def __iter__(self): return self
        def __next__(self): raise ValueError('no')
    for i in B():
        if i: break
---
def f(x):
    class B:
        def __iter__(self): return self
        def __next__(self): raise ValueError('no')
    for i in B():
        if i: return 3
    return 5
---
def f(x):
    class B:
        def __add__(self, o): raise ValueError('no')
    return B() + 4
---
def f(x):
    class B:
        @property
        def foo(self): raise ValueError('no')
    return B().foo
---
def f(x):
    assert x < 0
---
def f(x):
    assert x and not x > 0, (
        "no")
---
def f(x):
    class E(ValueError):
        def __init__(self, a, *, b): super().__init__(a); self.b = b
    try:
        raise E(1, b=2)
    except E as e:
        raise KeyError(e.b) from None
---
def f(x):
    while x.foo:
        x -= 1
    return x
---
import dataclasses
@dataclasses.dataclass(frozen=True)
class Frozen(Exception):
    a: int
def f(x):
    if x:
        raise Frozen(3)
---
def f(x):
    for i in [x]:
        with g(i):
            h(i)
def h(i): raise KeyError(i)
import contextlib
@contextlib.contextmanager
def g(i):
    try:
        yield
    finally:
        i.foo
---
@(lambda fn: fn)
def f(x):
    return x.foo
""".strip("\n").split("\n---\n")
