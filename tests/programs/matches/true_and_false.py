"""`case True` and `is True` mean the truth of a comparison, as they do for Python's values."""

STAGES = ("cond",)
NO_GRAPH = "the words for an unbound name are those of the running Python"
CASES = [(3,), (-3,)]
STAGED_ONLY = "what comparing eager tensors gives is not True itself"


def true_and_false(x):
    match x > 0:
        case True:
            sign = "positive"
        case False:
            sign = "negative"
    match (x > 2, sign):
        case (True, _):
            size = "large"
        case (False, text):
            size = text
    return sign, size, (x > 0) is True, (x > 0) is not (x > 2)
