"""Which dict a variable holds when an operation fails: the one before, or one made in the `try`."""

STAGES = ("try_except",)
CASES = [(5, 2, 1), (5, 0, 1), (5, 2, 0)]


def dict_of_the_moment(a, b, c):
    kept = {"k": a, "m": b}
    try:
        first = a // b
        kept = {**kept, "k": first}
        kept["m"] = first // c
    except ZeroDivisionError:
        kept["m"] -= 7
    return kept["k"], kept["m"]
