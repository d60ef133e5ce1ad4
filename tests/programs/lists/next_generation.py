"""Life on a torus as large as a run says: the next generation is a copy that is changed."""

STAGES = ("while_loop",)
CASES = [(0, 1, 1), (1, 0, 2), (2, 1, 1), (3, 1, 0), (4, 5, 3)]


def next_generation(n, m, turns):
    cells = [[(i * i + j) // 3 % 2 for j in range(m)] for i in range(n)]
    for _ in range(turns):
        following = [row[:] for row in cells]
        for i in range(n):
            for j in range(m):
                above, below = cells[i - 1], cells[(i + 1) % n]
                around = above[j] + below[j] + cells[i][j - 1] + cells[i][(j + 1) % m]
                following[i][j] = 1 if around == 3 or around + cells[i][j] == 3 else 0
        cells = following
    return cells
