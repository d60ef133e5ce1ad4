"""A generator whose values come from a branch on a tensor, summed by its caller."""

STAGES = ("cond", "cond", "cond")
ALWAYS = {
    "for i in range(count):": "there are three",
    "for value in clamped(x, 3):": "there are three",
}
CASES = [(2,), (-1,), (7,)]


def clamped(x, count):
    for i in range(count):
        if x > i:
            y = x - i
        else:
            y = i * 10
        yield y


def yields_from_branches(x):
    total = 0
    for value in clamped(x, 3):
        total = total + value
    return total
