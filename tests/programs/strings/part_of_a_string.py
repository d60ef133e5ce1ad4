"""`in` with a string on the right looks for a part of it, also where it is a string tensor."""

import runtime as rt

STAGES = ("cond",)
CASES = [(0,), (1,), (2,), (3,)]


def part_of_a_string(at):
    city = rt.gather(["Stockholm", "Holm\n", "", "holm"], at)
    found = 0
    if "holm" in city:
        found += 1
    if "\n" not in city and city in rt.constant("Stockholms"):
        found += 10
    return found
