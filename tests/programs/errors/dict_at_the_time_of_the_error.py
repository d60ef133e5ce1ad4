"""Which dict a variable holds when an operation fails: the old one, or one created in the `try`."""

STAGES = ("try_except",)
CASES = [(5, 2, 1), (5, 0, 1), (5, 2, 0)]


def dict_at_the_time_of_the_error(a, b, c):
    kept = {"k": a, "m": b}
    try:
        first = a // b
        kept = {**kept, "k": first}
        kept["m"] = first // c
    except ZeroDivisionError:
        kept["m"] -= 7
    return kept["k"], kept["m"]
