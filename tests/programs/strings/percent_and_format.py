"""`%`, `str.format`, `format`, `str` and `join` with tensors: the text of the run."""

STAGES = ()
CASES = [(7, 1.5), (-1, 20.0)]


def percent_and_format(n, x):
    old = "%03d and %.1f%%" % (n, x)
    new = "{0:+d} {x:8.3f}".format(n, x=x)
    return ", ".join([old, new, format(x, ".1e"), str(int(n))])
