"""A `return` that a tensor decides leaves two loops over Python's range."""

STAGES = ("cond",)
CASES = [(0,), (2,), (9,)]


def return_from_inner_loop(n):
    for i in range(3):
        for j in range(2):
            if n == i + j:
                return i * 10 + j
    return -1
