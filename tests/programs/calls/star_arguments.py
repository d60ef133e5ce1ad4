"""Positional and keyword arguments passed on by `*` and `**`."""

STAGES = ("cond",)
ALWAYS = {"for value in values:": "there are three"}
CASES = [(1, 2), (5, 2)]


def star_arguments(a, b):
    positions = (b, a)
    names = {"scale": 10, "offset": a}
    return combined(a, *positions, **names)


def combined(*values, scale, **rest):
    total = rest["offset"]
    for value in values:
        if value > 1:
            total += value * scale
    return total
