"""`isinstance`, `callable`, `hasattr`, `getattr`, `id` and `type` in code that is staged."""

STAGES = ("cond",)
ALWAYS = {"score = 1 if isinstance(x, str) else 2": "x is a number"}
CASES = [(3,), (-3,)]


class Box:
    value = 1


def type_tests(x):
    box = Box()
    setattr(box, "value", x)
    score = 1 if isinstance(x, str) else 2
    if getattr(box, "value") > 0 and not hasattr(box, "other") and callable(Box):
        score += getattr(box, "other", x)
    return score, id(box) == id(box), type(box) is Box
