"""A tensor is compared with literals, named values and alternatives, one case after the other."""

NO_GRAPH = "the words for an unbound name are those of the running Python"
STAGES = ("cond",)
CASES = [(0,), (1,), (2,), (7,), (-3,), (50,)]


class Limits:
    LOW = -3
    HIGH = 50


def value_cases(x):
    match x:
        case 0:
            y = 10
        case 1 | 2:
            y = x * 100
        case Limits.LOW:
            y = 5
        case Limits.HIGH:
            return x
        case _:
            y = -x
    return y + 1
