"""`*rest` takes the items that other patterns of a sequence of tensors leave."""

STAGES = ("cond",)
CASES = [(0, 2, 3), (1, 2, 3), (1, 2, 0), (9, 9, 9)]


def star_patterns(a, b, c):
    match [a, b, c]:
        case [0, *rest]:
            return rest[0] * 10 + rest[1]
        case [*_, 0]:
            return -1
        case [first, *middle, 3]:
            return first + len(middle) + middle[0]
        case [*everything]:
            return len(everything) * everything[2]
