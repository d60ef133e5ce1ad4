"""A list of strings beside a vector: its items stay strings, and so can be keys."""

STATIC = (1,)
STAGES = ()
SIZED = "Python goes over zip()"
CASES = [([1, 2], ["one", "two"]), ([3, 4, 5], ["a", "b", "c"])]


def zip_with_names(xs, names):
    found = dict(zip(names, xs))
    return sum(found.values()) + found[names[0]] * len(found)
