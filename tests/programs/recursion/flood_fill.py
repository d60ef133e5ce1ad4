"""A flood fill: four calls of itself, Python's numbers for the place, a list of the cells seen."""

STAGES = ("recursion",)
CASES = [([[1, 1, 0], [0, 1, 0], [1, 0, 1]],), ([[0, 1], [1, 1]],), ([],), ([[1, 1, 0]],)]


def fill(grid, size, r, c, seen):
    if r < 0 or c < 0 or r >= size or c >= size:
        return 0
    if seen[r][c] or grid[r][c] == 0:
        return 0
    seen[r][c] = True
    found = fill(grid, size, r + 1, c, seen) + fill(grid, size, r - 1, c, seen)
    return 1 + found + fill(grid, size, r, c + 1, seen) + fill(grid, size, r, c - 1, seen)


def flood_fill(grid):
    size = len(grid)
    return fill(grid, size, 0, 0, [[False] * size for _ in range(size)])
