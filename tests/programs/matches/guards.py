"""Guards decide after the pattern; a capture keeps its value where the guard fails."""

NO_GRAPH = "the words for an unbound name are those of the running Python"
STAGES = ("cond",)
CASES = [(0, 1), (3, 1), (-3, 1), (-3, -5), (12, 2), (0, -1)]


def guards(x, limit):
    match x:
        case 0 if limit > 0:
            return limit
        case n if n > 10:
            result = n
        case n if n > limit and n % 2 == 1:
            result = n * 10
        case n if limit < 0:
            result = n * 100
        case _:
            result = 7
    return result + n
