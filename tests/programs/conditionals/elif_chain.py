"""A chain of `elif`: the first true test decides."""

STAGES = ("cond",)
CASES = [(95,), (72,), (55,), (10,)]


def elif_chain(score):
    if score >= 90:
        grade = 1
    elif score >= 70:
        grade = 2
    elif score >= 50:
        grade = 3
    else:
        grade = 6
    return grade
