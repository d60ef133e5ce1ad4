"""`in` looks for a number in a tensor, and for a tensor in a Python list."""

STAGES = ("cond",)
CASES = [([3, 5, 7], 5), ([3, 5, 7], 4), ([3, 5, 7], 1)]


def member_of_a_tensor(xs, x):
    score = 0
    if x in xs:
        score += 1
    if x in [1, 2, 4]:
        score += 10
    if x not in (5, 9):
        score += 100
    return score
