"""Corner cases of names: scopes, declarations, deletions, classes, closures."""

from __future__ import annotations

from tests.autograph.converters.reference import Case

CASES = {
    "late_binding_of_a_loop_variable": Case(
        """
def f(n):
    fns = []
    for i in range(n): fns.append(lambda: i)
    return [g() for g in fns]
""",
        ((3,),),
    ),
    "closure_made_before_a_loop": Case(
        """
def f(n):
    a = 0; g = lambda: a
    for i in range(n): a = i
    return g()
""",
        ((3,),),
    ),
    "comprehension_and_walrus_scopes": Case(
        """
def f(x):
    i = 10
    ys = [i * 2 for i in range(3)]
    while (r := x - 1) > 0: x = r
    return i, ys, r
""",
        (
            (4,),
            (0,),
        ),
    ),
    "annotations_in_branches": Case(
        """
def f(x):
    if x > 0: y: float = x
    else:     y: float = -x
    return y
""",
        (
            (4,),
            (-1,),
        ),
    ),
    "annotations_without_value": Case(
        """
def f(x):
    z: int
    if x: z: int
    o.q: int = x
    try:
        return z
    except UnboundLocalError:
        return 'unbound'
""",
        ((4,),),
    ),
    "docstring_only": Case(
        """
def f(x):
    'doc'
""",
        ((4,),),
    ),
    "ellipsis_only": Case(
        """
def f(x): ...
""",
        ((4,),),
    ),
    "pass_only": Case(
        """
def f(x): pass
""",
        ((4,),),
    ),
    "global_in_every_statement": Case(
        """
def f(x):
    global shared
    if x: shared = x
    for shared in range(x): t(shared)
    while shared > 1:
        shared -= 1
    return shared
""",
        (
            (4,),
            (0,),
        ),
    ),
    "global_declared_in_a_branch": Case(
        """
def f(x):
    if x:
        global newg
        newg = x
    try: return newg
    except NameError: return 'none'
""",
        (
            (4,),
            (0,),
        ),
    ),
    "deleted_variables": Case(
        """
def f(n):
    x = y = 1
    del x, y
    try: return x
    except UnboundLocalError: pass
    try:
        del y
    except UnboundLocalError: t('y')
    if n: x = 3
    del x
    return 5
""",
        (
            (1,),
            (0,),
        ),
    ),
    "users_names_like_generated_ones": Case(
        """
def f(x):
    do_return = x; get_state = 2; fscope = 3; break_ = 4; retval_ = 5; itr = 1
    vars_ = 2; loop_body = 3; if_body = 3
    for i in range(3):
        if i > x: break
        if i == 1: return do_return, get_state, fscope, break_, retval_
        vars_ += 1; itr += 1
    return itr, vars_
""",
        (
            (4,),
            (0,),
            (1,),
        ),
    ),
    "introspection": Case(
        """
def f(x):
    if eval('x'):
        return sorted(k for k in locals() if k in ('x', 'y'))
    for i in range(3):
        y = eval('i')
        if y: break
    return y
""",
        (
            (4,),
            (0,),
        ),
    ),
    "exception_name_is_unbound_after": Case(
        """
def f(x):
    try:
        if x: raise Boom
        e = 3
    except Boom as e:
        t(1)
    try:
        return e
    except UnboundLocalError:
        return 'u'
""",
        (
            (1,),
            (0,),
        ),
    ),
    "exception_name_is_unbound_in_a_body": Case(
        """
def f(x):
    try:
        if x: raise Boom
        e = 3
    except Boom as e:
        t(1)
    if x or not x:
        try:
            return e
        except UnboundLocalError:
            return 'u'
""",
        (
            (1,),
            (0,),
        ),
    ),
    "read_before_bound_beside_a_global": Case(
        """
def f(x):
    print(y)
    if x: y = 1
y = 7
""",
        ((3,),),
    ),
    "name_bound_in_dead_code_only": Case(
        """
def f(x):
    if x:
        return 1
        zz = 1
    try: return zz
    except UnboundLocalError: return 'ok'
zz = 8
""",
        (
            (3,),
            (0,),
        ),
    ),
    "attributes_are_state": Case(
        """
def f(x):
    if x > 1:
        o.v = x
        o.w = 1
    for i in range(x):
        o.v += i
        if o.v > 3: break
    while o.v > 2: o.v -= 1
    return o.v, getattr(o, 'w', None)
""",
        (
            (0,),
            (1,),
            (3,),
        ),
    ),
    "deletions_of_every_kind": Case(
        """
def f(x):
    del o.v
    d = {1: 2}
    del d[1]
    (a, [b, *c]) = 1, [2, 3, 4]
    del a, (b, c)
    try: return a
    except UnboundLocalError: return d
""",
        ((0,),),
    ),
    "parameter_kinds": Case(
        """
def f(x, y=3, /, z=4, *a, k, m=5, **q):
    if x: return y, z, a, k, m, q
    return k
""",
        ((),),
    ),
}
