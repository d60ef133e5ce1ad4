"""Cells of a grid are looked at and filled from a stack of places, and counted from a queue."""

STAGES = ("while_loop", "cond")
ALWAYS = {"while stack:": "it begins with a place", "while queue:": "it begins with a place"}
CASES = [(0, 0), (1, 1), (2, 2), (0, 2), (3, 0), (-1, 0)]


def flood_fill_of_a_grid(row, column):
    grid = [[1, 1, 0], [0, 0, 1], [0, 1, 1]]
    stack, filled = [(row, column)], 0
    while stack:
        r, c = stack.pop()
        if r < 0 or r >= 3 or c < 0 or c >= 3 or grid[r][c] != 1:
            continue
        grid[r][c] = 2
        filled += 1
        stack.extend([(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)])
    steps, queue = [[0] * 3 for _ in range(3)], [(row, 0)]
    while queue:
        r, c = queue.pop(0)
        if 0 <= r and r < 3 and c < 3 and steps[r][c] == 0:
            steps[r][c] = 1 + r + c
            queue += [(r + 1, c), (r, c + 1)]
    return grid, filled, steps
