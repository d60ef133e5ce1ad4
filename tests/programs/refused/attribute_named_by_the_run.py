"""A method looked up by a text that is put together when the graph runs."""

REFUSED = "StagingError"
CASES = [(3,), (1,)]


class Visitor:
    def visit_even(self):
        return 1

    def visit_odd(self):
        return 2


def attribute_named_by_the_run(n):
    total = 0
    for k in range(n):
        kind = "even" if k % 2 == 0 else "odd"
        total = total + getattr(Visitor(), "visit_" + kind)()
    return total
