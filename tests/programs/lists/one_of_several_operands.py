"""A list that has perhaps grown is one operand of several: whether it is true decides."""

STAGES = ("cond",)
CASES = [(0, 1), (3, 1), (5, 6), (1, 5), (0, 0)]


def one_of_several_operands(x, y):
    k = []
    if x > 2:
        k.append(x)
    either = 1 if y < x or k or y == 1 else 0
    both = 1 if y > 0 and not k and x > 0 else 0
    return either, both, any([k, y > 3]), all([k, y > 3])
