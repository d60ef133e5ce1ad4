"""Corner cases of `break`, `continue`, `return`, `raise`, and of generators."""

from __future__ import annotations

from tests.autograph.converters.reference import Case

CASES = {
    "return_in_finally_swallows": Case(
        """
def f():
    try: raise ValueError
    finally: return 7
""",
        ((),),
    ),
    "nested_generator": Case(
        """
def f(n):
    def gen(k):
        for i in range(k):
            if i == 2: continue
            if i == 5: return 9
            s = 0
            for j in range(i):
                if j == 3: break
                s += j
            yield i, s
            while s > 0:
                s -= 1
                if s == 4: break
        else:
            yield 'else'
    return list(gen(n))
""",
        (
            (3,),
            (9,),
        ),
    ),
    "main_generator": Case(
        """
def f(n):
    for i in range(n):
        if i == 1: yield i
        if i > 3: return
        try:
            if i == 2: continue
            x = yield i * 2
        finally:
            t(i)
""",
        ((3,),),
    ),
    "main_coroutine": Case(
        """
async def f(n):
    s = 0
    for i in range(n):
        if i == 3: return s
        s += i
    return -s
""",
        ((3,),),
    ),
    "introspection_in_a_loop": Case(
        """
def f(x):
    for i in range(3):
        y = 1
        if locals().get('i') == x: return 'r'
        if i == 2: break
    else: return 'e'
    return 'end'
""",
        (
            (1,),
            (7,),
        ),
    ),
    "cancelled_break": Case(
        """
def f(x):
    while True:
        try:
            with failing():
                break
        except KeyError:
            t('cancelled')
        x -= 1
        if x < 0: return 'done'
    return 'broke'
""",
        (
            (3,),
            (0,),
        ),
    ),
    "continue_in_finally_overrides": Case(
        """
def f(x):
    for i in range(3):
        try:
            if i == x: return i
            if i == 2: break
        finally:
            if i < 2: continue
    return 'end'
""",
        (
            (0,),
            (1,),
            (2,),
            (5,),
        ),
    ),
    "jumps_and_every_clause_of_try": Case(
        """
def f(x):
    for i in range(5):
        try:
            if i == 1: continue
            if i == 2: raise ValueError
            if i == 3: break
        except ValueError: t('e')
        else: t('ok')
        finally: t('f')
""",
        ((0,),),
    ),
    "bare_raise_in_a_branch": Case(
        """
def f(x):
    if x:
        raise Boom
    try:
        if not x:
            raise KeyError
    except KeyError:
        if not x: raise
    return 3
""",
        (
            (0,),
            (1,),
        ),
    ),
    "error_in_a_returned_expression": Case(
        """
def f(x):
    if x:
        try:
            return 1 // (x - 1)
        except ZeroDivisionError:
            pass
    return 'ok'
""",
        (
            (0,),
            (1,),
            (2,),
        ),
    ),
    "loop_else_with_jumps": Case(
        """
def f(x):
    i = 0
    while i < 3:
        i += 1
        for j in range(3):
            if j == x: break
            if i == 2: continue
            t((i, j))
        else:
            t('else')
            if i == 2: break
            continue
        t('after')
    else: t('outer else')
    return i
""",
        (
            (0,),
            (1,),
            (5,),
        ),
    ),
    "break_in_finally": Case(
        """
def f(x):
    try:
        for i in range(3):
            try:
                if i == x: raise Boom
            finally:
                t(i)
                if i == 1: break
    except Boom as e:
        return type(e).__name__
    return 'x'
""",
        (
            (0,),
            (1,),
            (5,),
        ),
    ),
    "exception_context": Case(
        """
def f(x):
    import sys
    try:
        raise Boom
    except Boom:
        if x:
            t(sys.exc_info()[0].__name__)
            try: raise KeyError
            except KeyError as k: t(type(k.__context__).__name__)
        raise
""",
        (
            (0,),
            (1,),
        ),
    ),
    "raising_finally_cancels_a_return": Case(
        """
def f(x):
    try:
        raise Boom
    except Boom:
        return 1
    finally:
        if x: raise KeyError
""",
        (
            (0,),
            (1,),
        ),
    ),
    "several_context_managers": Case(
        """
def f(x):
    with cm() as a, cm('b') as b:
        if x: return a._name, b._name
        for i in range(2):
            with cm('c'):
                if i: break
                continue
    return 'end'
""",
        (
            (0,),
            (1,),
        ),
    ),
    "bare_return": Case(
        """
def f(x):
    if x: return
    t(1)
""",
        (
            (0,),
            (1,),
        ),
    ),
    "generator_by_dead_yield": Case(
        """
def f(x):
    print = 3
    return print
    yield
""",
        ((0,),),
    ),
    "jumps_in_while_with_else": Case(
        """
def f(x):
    while x:
        x -= 1
        if x == 2:
            try: continue
            finally: t('c')
        if x == 1:
            with cm(): break
    else:
        return 'else'
    return x
""",
        (
            (0,),
            (1,),
            (4,),
        ),
    ),
    "guarded_rest_of_a_loop": Case(
        """
def f(x):
    s = 0
    for i in range(5):
        if i % 2:
            if i == 3 and x: continue
            s += i
        s += 10
        if s > 30: return s, i
    return s
""",
        (
            (0,),
            (1,),
        ),
    ),
    "walrus_in_a_test_with_break": Case(
        """
def f(x):
    c = 0
    while (c := c + 1) and c < 10:
        if c == x: break
        if any((d := c) > 3 for _ in (1,)): continue
    return c, d
""",
        (
            (0,),
            (2,),
            (5,),
        ),
    ),
}
