"""The subject is a tuple of tensors, its patterns compare one and bind the other."""

STAGES = ("cond",)
CASES = [(0, 0), (0, 5), (5, 0), (3, 3), (3, 4)]


def pair_of_tensors(a, b):
    match a, b:
        case 0, 0:
            return 1
        case (0, other) | (other, 0):
            return other * 2
        case (x, y) if x == y:
            return x * 100
        case x, y:
            return x - y
