"""Corner cases of functions and classes inside functions, and of methods."""

from __future__ import annotations

from tests.autograph.converters.reference import Case

CASES = {
    "nested_functions_share_a_variable": Case(
        """
def f(x):
    def g(y):
        nonlocal x
        if y: x = y; return 'set'
        x = x + 1
    g(x); g(0)
    if x > 2:
        def h(): return x
    else:
        h = lambda: -x
    x = 10
    return h(), g.__name__
""",
        (
            (4,),
            (0,),
        ),
    ),
    "method_with_super_and_private_names": Case(
        """
class A:
    def m(self, x): return x
class B(A):
    k = 3
    def __init__(self): self.__p = 5
    def m(self, x, __q=2):
        if x > 0:
            self.__p += 1
            for __i in range(2):
                x = super().m(x) + self.__p
            return x + __q
        while x < 0:
            x += 1
            if x == -1: return __class__.k + super().m(0)
        return [super(B, self).m(v) for v in (x,)][0]
""",
        (
            (4,),
            (-3,),
            (0,),
        ),
        path="B.m",
    ),
    "class_in_a_function": Case(
        """
def f(x):
    class C:
        a = x
        if x: b = 1
        else: b = 2
        def m(self, y):
            if y: return self.a + y
            for i in range(3):
                if i == 1: break
            return super().__init__() or i
    c = C()
    return c.m(x), c.b, c.m(0)
""",
        (
            (4,),
            (0,),
        ),
    ),
    "calls_that_rebind": Case(
        """
def f(x):
    def bump():
        nonlocal k
        k = k + 1
    k = 0
    for i in range(x):
        bump()
        if k > 2: break
    if x: bump()
    return k
""",
        (
            (0,),
            (2,),
            (9,),
        ),
    ),
    "nonlocal_at_two_levels": Case(
        """
def f(x):
    l = [3]
    def g():
        nonlocal l
        for l in range(2):
            def h():
                nonlocal l
                if x: l = 9
            h()
    g()
    return l
""",
        (
            (100,),
            (0,),
        ),
    ),
    "type_parameters": Case(
        """
def f(x):
    type T = list[x]
    def g[U](y: U) -> U:
        if y: return y
    if x:
        type T2 = int
    return g(x), T.__value__
""",
        (
            (0,),
            (int,),
        ),
        since=(3, 12),
    ),
    "private_names_everywhere": Case(
        """
class _C:
    def __init__(self): self.__a = 1; self.b = {}
    def __h(self, __x=0, *, __k=2): return __x + __k
    def m(self, x):
        __v = x
        if x: __v = self.__h(1)
        def __inner():
            nonlocal __v
            if x: __v += 1
            return __v
        try:
            import os as __os
            raise Boom
        except Boom as __e:
            t(type(__e).__name__)
        class D:
            __z = 3
            def g(self): return self.__z
        self.b['__k'] = __inner()
        for self.__a in range(2): self.__a += 1
        match x:
            case [__q, *__r]: pass
            case __q: t(__q)
        return self.__a, __v, self.b, D().g(), D._D__z
""",
        (
            (0,),
            (3,),
        ),
        path="_C.m",
    ),
    "parameters_rebound_by_closures": Case(
        """
def f(x):
    x = [x]
    def g(x=x):
        x[0] = 1
        return x
    lam = lambda *a, k=x, **kw: (a, k, kw) if a else k
    return g(), lam(1, z=2), lam()
""",
        ((0,),),
    ),
    "nested_coroutines": Case(
        """
def f(x):
    async def co(y):
        if y: return 1
        async with y: pass
        async for z in y:
            if z: break
            return z
        return [w async for w in y]
    def g():
        for k in range(3):
            if k == x: return
            yield k
    import inspect
    import inspect
    return inspect.iscoroutinefunction(co), list(g()), inspect.isgeneratorfunction(g)
""",
        (
            (2,),
            (0,),
        ),
    ),
    "definitions_in_a_branch": Case(
        """
def f(x):
    if x:
        def g(): return 1
        class K: v = 2
    else:
        g = None
    return g and g(), 'K' in dir()
""",
        (
            (0,),
            (1,),
        ),
    ),
    "global_function": Case(
        """
def f(x):
    global g2
    def g2(): return 3
    if x:
        del g2
    try: return g2()
    except NameError: return 'none'
""",
        (
            (0,),
            (1,),
        ),
    ),
    "defaults_of_methods_see_the_class": Case(
        """
def f(x):
    class C:
        a = 1
        def m(self, y=a and 2, z=3 if a else 4):
            return y if x else z
    return C().m()
""",
        ((0,), (1,)),
    ),
}
