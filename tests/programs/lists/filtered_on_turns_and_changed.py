"""Each turn of a loop leaves rows out of a list, and changes some of those that stay."""

STAGES = ("while_loop",)
CASES = [(0, 0), (1, 0), (2, 1), (4, 1)]


def filtered_on_turns_and_changed(n, k):
    rows = []
    for i in range(n):
        rows.append([i, 0])
    few = [list(row) for row in rows]
    while len(rows) > 1 and k < 5:
        rows = [row for row in rows if row[0] > k] + [[9, 9]]
        rows[0].append(k)
        k += 1
    while len(few) > 2:
        few = [row for row in few if row[0] > k]
        for row in few:
            row[1] += 1
    return rows, few
