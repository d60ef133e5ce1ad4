"""Each iteration of a loop filters the rows of a list, and changes some of those that stay."""

STAGES = ("while_loop",)
CASES = [(0, 0), (1, 1), (1, 2), (2, 0), (3, 3), (5, 0)]


def filtered_in_iterations_and_changed(n, k):
    few = []
    for i in range(n):
        few.append([i, 0])
    m, rows = k, [list(row) for row in few]
    while k < 3:
        few = [row for row in few if row[0] >= k]
        for row in few:
            row[1] += k
        k += 1
    while m < 3:
        rows = [row for row in rows if row[0] > m] + [[9, 9]]
        rows[0].append(m)
        m += 1
    return few, rows
