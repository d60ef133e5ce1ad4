"""On one path alone a list gets another item, and one that was there gets other contents."""

STAGES = ("cond",)
CASES = [(0,), (1,), (3,)]


def row_and_list_change_on_one_path(n):
    rows, pairs = [[5]], [{"x": 1}]
    row = rows[-1]
    if n > 1:
        n += 1
    else:
        rows.append([n])
        row.append(8)
        pairs.append({"x": None})
        pairs[0]["x"] = 7
    return rows, row, pairs, n
