"""A name bound by only some cases is missing elsewhere, and an error only there, if used."""

NO_GRAPH = "the words for an unbound name are those of the running Python"
STAGES = ("cond",)
CASES = [(0, True), (1, True), (2, True), (2, False)]


def bound_by_one_case(x, use):
    match x:
        case 0:
            y = 5
        case 1 as z:
            y = z + 10
    if use:
        return y
    return -1
