"""A dict that only one path makes gets items under keys of Python's where it is there, some of them
on some paths only."""

STAGES = ("cond",)
CASES = [(-1,), (1,), (9,)]


def dict_of_one_path_grows(x):
    found = None
    if x > 0:
        found = {"b": 1}
    if found is not None:
        found["a"] = x
        found["b"] = 3
    if x > 5:
        found["a"] = 7
        found["d"] = 9
    return found
