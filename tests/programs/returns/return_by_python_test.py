"""A `return` in a loop of the graph, under a test that Python decides."""

STATIC = (1,)
STAGES = ("while_loop",)
CASES = [(3, True), (3, False), (0, True)]


def return_by_python_test(n, first_only):
    total = 0
    for i in range(n):
        total += i + 1
        if first_only:
            return total * 100
    return total
