"""A variable that a handler may unbind is deleted at the start of every iteration."""

CASES = [([7],), ([],)]
PYTHON_ONLY = "a list of any length is looped over"


def deleted_before_handler(xs):
    kept = 1
    last = 0
    for x in xs:
        del kept
        try:
            last = x
        except KeyError as kept:
            last = kept
    return last
