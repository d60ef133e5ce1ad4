"""A list made anew on one path, then changed."""

STAGES = ("cond",)
CASES = [(1,), (-1,)]


def made_anew_on_one_path(c):
    l = [0]
    if c > 0:
        l = l + [1]
    l.append(2)
    return l
