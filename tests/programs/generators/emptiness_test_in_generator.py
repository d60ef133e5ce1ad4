"""A generator tests whether a list or dict is empty that has items on some paths only."""

STAGES = ("cond",)
CASES = [(4,), (1,), (0,)]


def of_list(n):
    found = []
    if n > 1:
        found.append(n)
    if found:
        yield 5
    elif n > 0:
        yield 7


def of_dict(n):
    named = {}
    if n > 0:
        named["a"] = n
    if named:
        yield named["a"]


def emptiness_test_in_generator(n):
    return list(of_list(n)), sum(of_dict(n))
