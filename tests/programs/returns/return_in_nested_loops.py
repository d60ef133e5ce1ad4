"""A `return` in the inner of two loops leaves both."""

STAGES = ("while_loop",)
ALWAYS = {"for j in range(2, n):": "the outer loop runs as often"}
CASES = [(10, 12), (10, 7), (1, 4), (3, 12)]


def return_in_nested_loops(n, product):
    for i in range(2, n):
        for j in range(2, n):
            if i * j == product:
                return 10 * i + j
    return 0
