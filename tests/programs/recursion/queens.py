"""Backtracking: queens are put on a board and taken off again."""

STAGES = ("recursion",)
CASES = [(4,), (1,), (3,), (5,), (-1,)]


def queens(n):
    count = 0
    columns = []

    def put(row):
        nonlocal count
        if row == n:
            count += 1
            return
        for column in range(n):
            is_free = True
            for other, taken in enumerate(columns):
                if taken == column or abs(taken - column) == row - other:
                    is_free = False
            if is_free:
                columns.append(column)
                put(row + 1)
                columns.pop()

    put(0)
    return count
