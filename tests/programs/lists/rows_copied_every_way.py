"""Copies of rows of a grid whose size the run knows are changed; the grid stays as it is."""

STAGES = ("while_loop",)
CASES = [(0, 2), (1, 0), (2, 1), (3, 3)]


def rows_copied_every_way(n, m):
    grid = [[i * j for j in range(m)] for i in range(n)]
    sliced, listed = [row[:] for row in grid], [list(row) for row in grid]
    longer, ordered = [row + [0] for row in grid], [sorted(row) for row in grid]
    copied, turned = [row.copy() for row in grid], [row[::-1] for row in grid]
    for rows in (sliced, listed, longer, ordered, copied, turned):
        for row in rows:
            row.append(8)
            row[0] = 7
    return grid, sliced, listed, longer, ordered, copied, turned
