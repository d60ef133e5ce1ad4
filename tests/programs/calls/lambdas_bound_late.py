"""Lambdas made by a loop over Python values all see the variable's last value."""

STAGES = ("cond",)
ALWAYS = {"return [f() for f in made], [f() for f in kept]": "there are three"}
CASES = [(3,), (-3,)]


def lambdas_bound_late(x):
    made, kept = [], []
    for i in range(3):
        made.append(lambda: i * x)
        kept.append(lambda i=i: i * x if x > 0 else i)
    return [f() for f in made], [f() for f in kept]
