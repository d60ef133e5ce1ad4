"""A matrix multiplied by itself in a loop of the graph."""

import runtime as rt

STAGES = ("while_loop",)
DIFFERS = {"rows": "a matrix is one tensor, and comes back as one"}
CASES = [([[1, 1], [1, 0]], 6), ([[2, 0], [0, 3]], 1), ([[1, 1], [1, 0]], 2)]


def matrix_power(matrix, n):
    result = matrix
    for _ in range(n - 1):
        result = rt.matmul(result, matrix)
    return result
