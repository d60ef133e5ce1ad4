"""Literals of different kinds in the branches: 1 and 1.5, True and 1."""

STAGES = ("cond",)
DIFFERS = {"widened": "an int of one branch joins the float of the other"}
CASES = [(3,), (-3,)]


def literals_of_two_kinds(x):
    step = 1 if x > 0 else 1.5
    if x > 0:
        flag = 1
        scale = x / 2
    else:
        flag = 2
        scale = 0.0
    return step * 2, flag + x, scale
