"""Functions for tests of `explain`; the outcome of each line is written by hand."""

import runtime as rt

WEIGHT = rt.Variable(3)
BIAS = rt.constant(2)


def doubled(z):
    w = z * 2
    return w


def mixed(x, n):
    y = doubled(x)
    for k in range(n):
        y = y + k
    if y > 3:
        q = y
    else:
        q = -y
    if n > 5:
        q = 0
    return q


def searching(xs, limit):
    found = -1
    for v in xs:
        if v < 0:
            raise ValueError("negative")
        if v > limit:
            found = v
            break
    return found


def counting(x):
    total = 0
    while total < 10:
        total = total + x
    return total


def by_others(m):
    s = 0
    if BIAS * WEIGHT > m:
        s = 1
    for i in range(m):
        if i > 2:
            s = s + 1
    return s


def perhaps(x):
    if x > 0:
        late = x
    if x > 1:
        return late
    return 0


def logical(a, b):
    both = a > 0 and b > 1 / a
    return 1 if both else 0


def failing(x):
    if x > 0:
        x = x - 1
    for word in "ab":
        x = x + len(word)
    return undefined_name(x)  # noqa: F821


def on_one_line(x):
    if x > 0: return x  # fmt: skip  # noqa: E701
    return 0


def several(x, xs):
    match x:
        case 1:
            y = 10
        case _:
            y = x
    return [v + y for v in xs if v > 1]


class Box:
    def __init__(self):
        self.last, self.values = None, []


box = Box()


def keeping(x):
    if x > 0:
        box.last = x
        box.values.append(x)
    return x


def skipping(xs):
    total = 0
    for x in xs:
        if x < 0:
            total -= 1
            continue
        total += x
    return total


def collecting(xs):
    found = {"all": []}
    out = []
    for x in xs:
        if x > 2:
            found["all"].append(x)
            return found, out
        out.append(x)
    return found, out
