"""`for` over the elements of a list or the rows of a tensor."""

STAGES = ("while_loop",)
ALWAYS = {"for v in xs": "there is a first one"}
CASES = [([1, 2, 3],), ([7],), ([1.5, -2.5],), ([],)]


def over_elements(xs):
    total = xs[0] * 0
    for v in xs:
        total = total + v
    return total
