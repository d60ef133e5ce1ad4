"""Programs with names of generated code, of builtins, or in unusual letters."""

from __future__ import annotations

import pytest

import autograph as ag
from autograph.errors import ConversionError
from tests.parity.agreement import spelled
from tests.parity.hostile import assert_same, compiled_function, forced
from tests.suite_length import IS_LONG

GENERATED = (
    "fscope fscope_1 lscope do_return do_return_1 retval_ retval__1 break_ break__1 continue_ "
    "pending_ get_state get_state_1 set_state set_state_1 vars_ itr if_body if_body_1 else_body "
    "loop_body loop_test extra_test tf__f tf__lambda f value_ value__1 items_ factory autograph "
    "runtime _ __ _0 args kwargs self options converted_call if_stmt ld Undefined"
).split()
BUILTINS = (
    "len range dict super locals print isinstance type tuple object Exception list iter next "
    "getattr globals vars int float bool str map zip enumerate any all sorted min max sum "
    "AssertionError StopIteration BaseException NameError UnboundLocalError id hash callable"
).split()
NAMES = (*GENERATED, *BUILTINS)

# In each of them NAME stands for a name; `log` is a list that is compared as well.
ROLES = {
    "parameter": """
def f(NAME, limit):
    found = 0
    for i in (1, 2, 3, 4):
        if i == NAME:
            continue
        if i > limit:
            break
        found += NAME if i > 1 and NAME else 0
        while found > 10:
            if found == 12:
                return found, NAME
            found -= NAME
    else:
        return "else", NAME
    return found, NAME
""",
    "local": """
def f(x, limit):
    NAME = x
    while NAME < limit:
        if NAME % 2:
            NAME = NAME + 1
            continue
        elif NAME > 8:
            break
        NAME = NAME * 2 + 1
    for NAME in (NAME, x, limit):
        if NAME == 4:
            return NAME
    g = lambda: NAME
    return g(), [NAME for NAME in (1, 2)], (lambda NAME: NAME)(NAME)
""",
    "maybe unbound": """
def f(x, limit):
    if x > 2:
        NAME = x
    while x < limit:
        x += 1
        if x == 4:
            NAME = x
    try:
        del NAME
    except UnboundLocalError as error:
        log.append(type(error).__name__)
        NAME = None
    else:
        NAME = 5
    return NAME
""",
    "global": """
NAME = 1
def f(x, limit):
    global NAME
    if x > 1:
        NAME = x
    for i in (1, 2):
        if i == limit:
            break
        NAME = NAME + i
    log.append(NAME)
    return NAME
""",
    "read global": """
def NAME(*parts):
    return ("mine", parts)
def f(x, limit):
    result = []
    for i in (1, 2):
        if i == x:
            continue
        result += [NAME(i, x), NAME(*result)]
    return (NAME(result) if x else NAME()), not NAME, NAME and limit
""",
    "nonlocal": """
def f(x, limit):
    NAME = x
    def change(by):
        nonlocal NAME
        if by > 0:
            NAME = NAME + by
            return NAME
        return -1
    while NAME < limit:
        log.append(change(2))
        if NAME == 5:
            break
    return NAME, change(0)
""",
    "closure": """
def outer(NAME):
    def f(x, limit):
        if x > 1:
            return NAME, x
        for i in (x, limit):
            if i == 3:
                break
            log.append((NAME, i))
        return lambda: NAME
    return f
f = outer("closed over")
def g(x, limit):
    result = f(x, limit)
    return result() if callable(result) else result
""",
    "attribute and keyword": """
class Box:
    def __init__(self, **given):
        self.__dict__.update(given)
    def NAME_of(self, *, NAME=1, **rest):
        return NAME, rest
def f(x, limit):
    box = Box(NAME=x, other=limit)
    if box.NAME > 1:
        box.NAME = box.NAME + 1
    for box.NAME in (box.NAME, 7):
        if box.NAME == 7:
            continue
    def inner(*, NAME=4):
        if NAME:
            return NAME
        return 0
    return box.NAME, box.NAME_of(NAME=box.NAME), box.NAME_of(a=1), inner(NAME=x), inner()
""",
    "function": """
def f(x, limit):
    def NAME(x):
        if x > limit:
            return x
        return NAME(x + 1)
    for i in (1, 2):
        if i == x:
            break
        log.append(NAME(i))
    return NAME(x), NAME.__name__
""",
    "class": """
def f(x, limit):
    class NAME:
        NAME = x
        def value(self):
            if self.NAME > limit:
                return self.NAME
            return -limit
    if x:
        NAME.other = 1
    return NAME().value(), NAME.__name__, NAME.NAME
""",
    "other bindings": """
def f(x, limit):
    import math as NAME
    log.append(NAME.__name__)
    with open_(x) as NAME:
        if NAME > limit:
            return NAME
    try:
        raise ValueError(x)
    except ValueError as NAME:
        log.append(str(NAME))
    while (NAME := x) < limit:
        x += 1
    match (x, limit):
        case [1, NAME]:
            pass
        case [_first, *NAME] if NAME:
            log.append(NAME)
    first, *NAME = range_(4)
    for i, NAME in ((1, 2), (3, 4)):
        if i == 3:
            break
    return NAME, first
class open_:
    def __init__(self, value): self.value = value
    def __enter__(self): return self.value
    def __exit__(self, *exc): return False
from builtins import range as range_
""",
}
CASES = ((2, 3), (5, 3), (0, 9))
# Here Python itself takes the name for something else.
ODD = {("attribute and keyword", "self"), ("closure", "f"), ("read global", "f")}
PAIRS = tuple((role, name) for name in NAMES for role in ROLES if (role, name) not in ODD)
# Each name in some of the roles; all of them where time does not matter.
CHOSEN = PAIRS if IS_LONG else PAIRS[::13]


@pytest.mark.parametrize(("role", "name"), CHOSEN)
def test_user_names_may_equal_generated_names_and_builtins(role: str, name: str) -> None:
    text = ROLES[role].replace("NAME", name)
    assert_same(text, *CASES, name="g" if role == "closure" else "f")


def test_every_name_and_role_is_chosen() -> None:
    assert set(ROLES) == {role for role, _ in CHOSEN}
    assert len(NAMES) * 0.7 < len({name for _, name in CHOSEN})


@pytest.mark.parametrize("body", ["ag__ = x", "return ag__", "return x.ag__", "global ag__"])
def test_the_name_of_the_vocabulary_may_be_used(body: str) -> None:
    text = f"""
ag__ = 5
class Box: ag__ = 6
def inner(x):
    if x:
        {body}
    return x
def f(x):
    return inner(x) if x else 0
"""
    for name in ("inner", "f"):
        function = compiled_function(text, name)
        box = function.__globals__["Box"]()
        assert spelled(function(box)) == spelled(forced(ag.to_graph(function))(box))
    assert (
        "ag___1.if_stmt" in ag.to_code(compiled_function(text, "inner")) or body == "return x.ag__"
    )


def test_the_reserved_replacement_name_is_refused() -> None:
    text = "def f(ag__, ag__of_the_user):\n    return ag__"
    with pytest.raises(ConversionError, match="'ag__of_the_user' belongs to generated code"):
        ag.to_graph(compiled_function(text))


UNICODE = """
def f(größe, ﬁx=2):
    fix += größe
    naïve = {"ﬁ": fix}
    for 变量 in range(größe):
        if 变量 == 3:
            break
        ℌ = 变量
    else:
        H = -1
    class Å:
        ﬁeld = H
    Å().field
    return fix, naïve, H, Å.field, Å.__name__, [𝐱 for x in (1, 2)], sorted(locals())
"""


def test_identifiers_are_normalised_as_in_python() -> None:
    assert_same(UNICODE, (2,), (5,), (0, 7))


def test_keywords_and_globals_are_normalised() -> None:
    text = """
ﬁ = 1
def g(*, fi=0, ª=1):
    return fi, a
def f(x):
    global ﬁ
    if x:
        fi = fi + x
    ﬁ += 1
    del x
    return g(ﬁ=fi, a=2), fi, globals()["fi"]
"""
    assert_same(text, (1,), (0,))
