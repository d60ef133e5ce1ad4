"""A walrus in the test of a `while` that `break` may leave: bound in the body and after it."""

NO_GRAPH = "the words for an unbound name are those of the running Python"
STAGES = ("while_loop",)
CASES = [(5, 3), (5, 9), (0, 0), (2, 3)]


def bound_in_loop_test(x, stop):
    while x > -3 and (rest := x - 1) > 0:
        if rest == stop:
            break
        x = rest
    else:
        return rest, x, 0
    return rest, x, 1
