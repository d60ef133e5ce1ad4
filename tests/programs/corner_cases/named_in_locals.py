"""`locals()` has the variables bound so far, and no others."""

PYTHON_ONLY = "looks at its own frame"
CASES = [(3,), (0,), (-2,)]


def named_in_locals(x):
    seen = [sorted(locals())]
    if x > 0:
        y = x
        seen.append("y" in locals())
    for i in range(x):
        z = i
        if z:
            break
    seen.append(sorted(locals()))
    if x:
        del seen
    return sorted(locals()), "seen" in vars(), "z" in dir()
