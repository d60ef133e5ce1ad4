"""Pascal's triangle: each row is made of two items of the row before."""

STAGES = ("while_loop",)
CASES = [(5,), (1,), (0,)]


def triangle_of_rows(n):
    triangle = []
    for i in range(n):
        row = [1] * (i + 1)
        for j in range(1, i):
            row[j] = triangle[i - 1][j - 1] + triangle[i - 1][j]
        triangle.append(row)
    return triangle
