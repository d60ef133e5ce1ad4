"""A `match` in a case of another, both on tensors."""

STAGES = ("cond",)
CASES = [(0, 0), (0, 3), (1, 0), (1, 1), (1, 8), (5, 5)]


def nested_matches(a, b):
    result = -1
    match a:
        case 0:
            match b:
                case 0:
                    return 100
                case n:
                    result = n
        case 1:
            match b:
                case 0 | 1 as bit:
                    result = 10 + bit
            if result < 0:
                result = 55
    return result
