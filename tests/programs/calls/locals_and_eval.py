"""`locals()` and `eval` see the user's variables only, in code that is staged."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def locals_and_eval(x):
    if x > 0:
        y = x
    else:
        y = -x
    names = sorted(locals())
    return len(names), len(names[0]), eval("y + 1"), vars()["y"]
