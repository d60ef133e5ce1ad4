"""Reading a key that only the other path made raises KeyError when the graph runs."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def key_read_where_absent(x):
    table = {}
    if x > 0:
        table["last"] = x
    return table["last"] + 1
