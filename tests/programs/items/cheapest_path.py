"""The cheapest way through a grid: each element of a matrix is written after those around it."""

STAGES = ("while_loop",)
CASES = [
    ([[1, 3, 1], [1, 5, 1], [4, 2, 1]], 3, 3),
    ([[1, 2, 9], [9, 1, 9], [9, -4, 2]], 2, 3),
    ([[7, 1, 1], [2, 2, 2], [0, 0, 0]], 2, 2),
    ([[7, 1, 1], [2, 2, 2], [0, 0, 0]], 3, 1),
    ([[7, 1, 1], [2, 2, 2], [0, 0, 0]], 0, 0),
]
ARRAYS = True
STAGED_ONLY = "eager tensors cannot change"


def cheapest_path(grid, rows, columns):
    for j in range(1, columns):
        grid[0, j] += grid[0, j - 1]
    for i in range(1, rows):
        grid[i, 0] += grid[i - 1, 0]
        for j in range(1, columns):
            before = min(grid[i - 1, j], grid[i, j - 1])
            grid[i, j] = grid[i, j] + before
    return grid, grid[rows - 1, columns - 1]
